import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { StageName } from '../../stages/stages.ts';
import { readDifference, readSnapshot, type Snapshot, withDifference } from './snapshot.ts';

const root = path.resolve(import.meta.dirname, '../../..');
// Production's snapshot has only the differences from staging.
const files = { staging: 'infra/snapshots/staging.yaml', production: 'infra/snapshots/production.yaml' };

/** Absolute path of a stage's file. */
export const snapshotFile = (stage: StageName): string => path.join(root, files[stage]);

/** Parses the snapshots from the texts of their files. */
const snapshotsIn = (textOf: (stage: StageName) => string): Record<StageName, Snapshot> => {
  const staging = readSnapshot(textOf('staging'));
  return { staging, production: withDifference(staging, readDifference(textOf('production'))) };
};

/** The snapshots in the working tree. */
export const currentSnapshots = (): Record<StageName, Snapshot> =>
  snapshotsIn((stage) => readFileSync(snapshotFile(stage), 'utf8'));

const git = (...parameters: string[]) => spawnSync('git', parameters, { cwd: root, encoding: 'utf8' });

/** Whether the repository has this commit. `reference`: a hash or a name. */
export const isCommit = (reference: string): boolean =>
  git('rev-parse', '--verify', '--quiet', '--end-of-options', `${reference}^{commit}`).status === 0;

/** The snapshots in a commit. Undefined if the commit has none. */
export function snapshotsAt(reference: string): Record<StageName, Snapshot> | undefined {
  const read = (stage: StageName) => git('show', '--end-of-options', `${reference}:${files[stage]}`);
  return read('production').status === 0 ? snapshotsIn((stage) => read(stage).stdout) : undefined;
}
