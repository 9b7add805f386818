// Runs before anything is installed, on Node 20 or later: no dependencies, no TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether node_modules holds what package-lock.json asks for. npm lists there what it has installed. */
function isInstalled() {
  const written = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(written)) return false;
  const wanted = packagesIn(path.join(root, 'package-lock.json'));
  const installed = packagesIn(written);
  return (
    Object.entries(wanted).every(
      ([name, { version, optional, devOptional }]) =>
        name === '' ||
        (installed[name] ? installed[name].version === version : (optional ?? devOptional ?? false)),
    ) && Object.keys(installed).every((name) => name in wanted)
  );
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(
    `Node 20 or later is needed to install, and this is ${process.versions.node}: see https://nodejs.org.`,
  );
}
if (!isInstalled()) {
  console.log('Installing packages; the first time takes a minute or two …');
  const npm = process.env.npm_execpath;
  const parameters = ['ci', '--no-audit', '--no-fund'];
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...parameters], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', parameters, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) fail('The packages could not be installed: npm says why above.');
}
// The package `node` brings the Node that everything else runs on, from its install script.
if (!existsSync(path.join(root, 'node_modules', '.bin', 'node'))) {
  fail(
    'npm did not run the install script of the package node, which brings Node 24: run npm ci with it allowed.',
  );
}
