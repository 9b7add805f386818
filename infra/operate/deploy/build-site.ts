import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { addFile, filesBelow } from '../../local/base/file-hash.ts';

const Kept = z.object({ inputs: z.string(), built: z.string() });

/**
 * Calls `build`, which builds the site of the checkout at `root` into `web/dist`, unless that folder has a
 * build of the same files from the same day. Returns whether the site was built.
 */
export function buildSite(root: string, build: () => boolean, variables = process.env): boolean {
  const dist = path.join(root, 'web/dist');
  const record = path.join(root, 'node_modules/.cache/selfsame-site.json');

  const inputs = () => siteInputs(root, variables);
  const built = (): string => {
    const hash = createHash('sha256');
    for (const file of filesBelow(dist)) addFile(hash, file);
    return hash.digest('base64');
  };
  const isKept = (): boolean => {
    try {
      const kept = Kept.parse(JSON.parse(readFileSync(record, 'utf8')));
      return kept.inputs === inputs() && kept.built === built();
    } catch {
      // There is no record, or no built site.
      return false;
    }
  };

  if (isKept()) return true;
  rmSync(record, { force: true });
  const before = inputs();
  if (!build()) return false;
  // A file that was saved during the build may or may not be in it.
  if (inputs() === before) {
    mkdirSync(path.dirname(record), { recursive: true });
    writeFileSync(record, JSON.stringify({ inputs: before, built: built() }));
  }
  return true;
}

/** Hash of everything that a build of the site of the checkout at `root` reads. */
export function siteInputs(root: string, variables: NodeJS.ProcessEnv): string {
  const read = Object.keys(variables).filter((name) => /^(SELFSAME_|VITE_|NODE_ENV$)/.test(name));
  // The date counts, because security.txt says until when it is valid.
  const day = new Date().toISOString().slice(0, 10);
  const given = [process.version, day, read.toSorted().map((name) => [name, variables[name]])];
  const hash = createHash('sha256').update(JSON.stringify(given));
  const dist = path.join(root, 'web/dist');
  const files = ['web', 'schemas'].flatMap((folder) => filesBelow(path.join(root, folder)));
  for (const file of files) if (!file.startsWith(dist + path.sep)) addFile(hash, file);
  addFile(hash, path.join(root, 'package-lock.json'));
  return hash.digest('base64');
}

// Run by the CDK CLI before each synthesis.
if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '../../..');
  const build = () =>
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }).status === 0;
  process.exitCode = buildSite(root, build) ? 0 : 1;
}
