import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { StageName } from '../stages.ts';
import { readDifference, readSnapshot, type Snapshot, withDifference } from './snapshot.ts';

const root = path.resolve(import.meta.dirname, '../..');
// Production's has only what differs from staging.
const files = { staging: 'infra/snapshots/staging.yaml', production: 'infra/snapshots/production.yaml' };

/** Absolute path of a stage's file. */
export const snapshotFile = (stage: StageName): string => path.join(root, files[stage]);

/** Reads the snapshots out of their files' texts. */
const snapshotsIn = (textOf: (stage: StageName) => string): Record<StageName, Snapshot> => {
  const staging = readSnapshot(textOf('staging'));
  return { staging, production: withDifference(staging, readDifference(textOf('production'))) };
};

/** The snapshots in the working tree. */
export const currentSnapshots = (): Record<StageName, Snapshot> =>
  snapshotsIn((stage) => readFileSync(snapshotFile(stage), 'utf8'));

/** The snapshots in a commit, or undefined if it had none. Throws if there is no such commit. */
export function snapshotsAt(reference: string): Record<StageName, Snapshot> | undefined {
  const git = (...parameters: string[]): string =>
    execFileSync('git', parameters, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const commit = git('rev-parse', '--verify', '--end-of-options', `${reference}^{commit}`).trim();
  if (git('ls-tree', '--name-only', commit, '--', files.production) === '') return undefined;
  return snapshotsIn((stage) => git('show', `${commit}:${files[stage]}`));
}
