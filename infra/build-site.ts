import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { addFile, filesBelow } from './local/base/file-hash.ts';

const Kept = z.object({ inputs: z.string(), built: z.string() });

/**
 * Calls `build`, which builds the site of the checkout at `root` into `web/dist`, unless the site that is
 * there was built on the same day from the same files. Returns whether it is built now.
 */
export function buildSite(root: string, build: () => boolean, variables = process.env): boolean {
  const dist = path.join(root, 'web/dist');
  const record = path.join(root, 'node_modules/.cache/selfsame-site.json');

  /** Of everything that a build reads. */
  const inputs = (): string => {
    const read = Object.keys(variables).filter((name) => /^(SELFSAME_|VITE_|NODE_ENV$)/.test(name));
    // The day, because security.txt says until when it holds.
    const day = new Date().toISOString().slice(0, 10);
    const given = [process.version, day, read.toSorted().map((name) => [name, variables[name]])];
    const hash = createHash('sha256').update(JSON.stringify(given));
    const files = ['web', 'schemas'].flatMap((folder) => filesBelow(path.join(root, folder)));
    for (const file of files) if (!file.startsWith(dist + path.sep)) addFile(hash, file);
    addFile(hash, path.join(root, 'package-lock.json'));
    return hash.digest('base64');
  };
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
      // No record, or no built site.
      return false;
    }
  };

  if (isKept()) return true;
  rmSync(record, { force: true });
  const before = inputs();
  if (!build()) return false;
  // A file that was saved meanwhile may or may not be in the build.
  if (inputs() === before) {
    mkdirSync(path.dirname(record), { recursive: true });
    writeFileSync(record, JSON.stringify({ inputs: before, built: built() }));
  }
  return true;
}

// Run by the CDK CLI before each synthesis.
if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const build = () =>
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }).status === 0;
  process.exitCode = buildSite(root, build) ? 0 : 1;
}
