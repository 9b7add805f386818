/**
 * Runs the stand-ins' own tests. Parameters go to Vitest. A complete run that passed is recorded, so that
 * `npm test` leaves them out until something they depend on changes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { recordPassed, standInSuites, suiteFolders } from './fixtures/stand-in-suites.ts';

const root = path.resolve(import.meta.dirname, '..');
const parameters = process.argv.slice(2);
const before = standInSuites(root);
const vitest = spawn(
  path.join(root, 'node_modules/.bin/vitest'),
  [
    'run',
    '--config=tests/vitest.config.ts',
    '--project=unit',
    '--project=integration',
    ...suiteFolders,
    ...parameters,
  ],
  { cwd: root, stdio: 'inherit' },
);
const [code] = (await once(vitest, 'close')) as [number | null];
process.exitCode = code ?? 1;
// Parameters may select tests, and an edit during the run may have been tested or not.
const isComplete = parameters.length === 0 && standInSuites(root).hash === before.hash;
if (code === 0 && isComplete) {
  recordPassed(root, before);
  console.log('Recorded in tests/stand-ins-passed.json. Commit it with the change.');
}
