import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { acceptedAdvisories } from './accepted-advisories.ts';
import { findingsIn } from './advisories.ts';

/** `npm run audit`: the advisories on installed packages, without the accepted ones. */
const cwd = path.resolve(import.meta.dirname, '../..');
// Fails with its exit code if it finds anything; the report says what.
const { stdout, error } = spawnSync('npm', ['audit', '--json'], { cwd, encoding: 'utf8' });
if (error) throw error;
const { open, outdated } = findingsIn(JSON.parse(stdout), Object.keys(acceptedAdvisories));
for (const line of open) console.error(line);
for (const url of outdated) {
  console.error(`${url} is no longer reported: remove it from infra/pipeline/accepted-advisories.ts.`);
}
if (open.length === 0 && outdated.length === 0) {
  console.log(`No advisory beside ${Object.keys(acceptedAdvisories).length} accepted ones.`);
} else {
  process.exitCode = 1;
}
