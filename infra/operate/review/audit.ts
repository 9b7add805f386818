import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { acceptedAdvisories } from './accepted-advisories.ts';
import { findingsIn } from './advisories.ts';

/** `npm run ops -- audit`: the advisories on installed packages, without the accepted ones. */
export function run(): void {
  const cwd = path.resolve(import.meta.dirname, '../../..');
  const accepted = Object.keys(acceptedAdvisories);
  // npm exits with an error if it finds anything. The report has the details.
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], { cwd, encoding: 'utf8' });
  if (error) throw error;
  const { open, outdated } = findingsIn(JSON.parse(stdout), accepted);
  for (const line of open) console.error(line);
  for (const url of outdated) {
    console.error(
      `${url} is no longer reported: remove it from infra/operate/review/accepted-advisories.ts.`,
    );
  }
  if (open.length + outdated.length > 0) process.exitCode = 1;
  else console.log(`No advisory besides ${accepted.length} accepted ones.`);
}
