/**
 * Runs the stand-ins' own tests, then checks what they sent to and received from Stripe's stand-in.
 * Parameters go to Vitest. A complete run that passed is recorded, so that `npm test` leaves these tests out
 * until something they depend on changes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordPassed, standInSuites, suiteFolders } from './fixtures/repository/stand-in-suites.ts';

const root = path.resolve(import.meta.dirname, '..');
const parameters = process.argv.slice(2);
const before = standInSuites(root);
const messages = mkdtempSync(path.join(tmpdir(), 'selfsame-wire-'));

/** Resolves with the command's exit code. */
async function run(command: string, args: readonly string[]): Promise<number> {
  const env = { ...process.env, SELFSAME_WIRE_FOLDER: messages };
  const [code] = (await once(spawn(command, args, { cwd: root, stdio: 'inherit', env }), 'close')) as [
    number | null,
  ];
  return code ?? 1;
}

let code = await run(path.join(root, 'node_modules/.bin/vitest'), [
  'run',
  '--config=tests/vitest.config.ts',
  '--project=unit',
  '--project=integration',
  ...suiteFolders,
  ...parameters,
]);
// Parameters may select tests without a message.
if (code === 0 && parameters.length === 0) {
  // `npm test` leaves out these tests, and with them their messages.
  code = await run(process.execPath, ['tests/contract/check-wire.ts']);
  // An edit during the run may have been tested or not.
  if (code === 0 && standInSuites(root).hash === before.hash) {
    recordPassed(root, before);
    console.log('Recorded in tests/stand-ins-passed.json. Commit it with the change.');
  }
}
rmSync(messages, { recursive: true, force: true });
process.exitCode = code;
