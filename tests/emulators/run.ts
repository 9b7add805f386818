/**
 * Runs the tests of Cognito's stand-in against cognito-local, and explains each difference. Parameters go to
 * Vitest. The first run installs cognito-local beside the repository's own packages: it brings 128 MB, most
 * of it the AWS SDK's version 2, which is no longer maintained.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const VERSION = '5.3.0';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'node_modules/.cache/emulators');

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(path.join(folder, 'node_modules/cognito-local'))) {
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // No install scripts: the only one prints a warning.
  const into = ['--no-save', '--ignore-scripts', '--prefix', folder];
  run('npm', ['install', ...into, ...quiet, `cognito-local@${VERSION}`]);
}
run(path.join(root, 'node_modules/.bin/vitest'), [
  'run',
  '--config=tests/emulators/vitest.config.ts',
  ...process.argv.slice(2),
]);
