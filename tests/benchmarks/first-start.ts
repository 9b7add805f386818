/**
 * From `git clone` to the page: `node tests/benchmarks/first-start.ts [--against folder] [--rounds 3]`.
 * Clones the commit of this checkout and of the other in turn, and runs the real `npm start` in each clone,
 * with the Node and npm that run this benchmark's parent. An uncounted round fills npm's cache.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median, type Measurement, report } from './report.ts';

const { values } = parseArgs({
  options: { against: { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const here = path.resolve(import.meta.dirname, '../..');
const checkouts = [here, ...(values.against ? [path.resolve(values.against)] : [])];

const PORT = 4660;
const ORIGIN = `http://localhost:${PORT}`;
// Milliseconds. A first download on a slow line takes minutes.
const PATIENCE = 900_000;
const MB = 1e6;

/** What a first start took. */
interface Figures {
  /** From the clone's begin to the first answer of the site. */
  seconds: number;
  /** From `npm start` to its first own line, in seconds. */
  firstLine: number;
  /** Sum of the files in node_modules, in MB. A file with two links counts once. */
  installed: number;
  /** Resident memory of all processes after the start, in MB. Shared pages count in each process. */
  memory: number;
}

async function firstStart(checkout: string): Promise<Figures> {
  const folder = await mkdtemp(path.join(tmpdir(), 'selfsame-first-start-'));
  const began = performance.now();
  execFileSync('git', ['clone', '--quiet', checkout, folder]);
  const started = performance.now();
  // Its own group of processes, which can be ended as a whole.
  const child = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(),
  });
  let firstLine = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    // Lines with `>` are npm's.
    if (firstLine === 0 && /^[^>\s]/m.test(chunk.toString())) firstLine = performance.now() - started;
  });
  try {
    await answering(child);
    const seconds = (performance.now() - began) / 1000;
    return {
      seconds,
      firstLine: firstLine / 1000,
      installed: bytesIn(path.join(folder, 'node_modules')) / MB,
      memory: residentBytes(child) / MB,
    };
  } finally {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  }
}

/** This process's variables without those of npm and of the checkout's own Node. */
function environment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name));
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(path.delimiter);
  // The other checkout may know only the short name.
  return { ...Object.fromEntries(own), PATH, SELFSAME_PORT: String(PORT), PORT: String(PORT) };
}

async function answering(child: ChildProcess): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}.`);
    const answer = await fetch(ORIGIN).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error(`${ORIGIN} did not answer within ${PATIENCE / 1000} s.`);
}

function bytesIn(folder: string): number {
  const counted = new Set<number>();
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(path.join(folder, name)))
    .filter((file) => file.isFile() && !counted.has(file.ino) && counted.add(file.ino))
    .reduce((sum, { size }) => sum + size, 0);
}

/** Of the process and all below it. Reads /proc, so Linux only; elsewhere not a number. */
function residentBytes({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN;
  const statuses = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/status`, 'utf8');
        const number = (field: string) =>
          Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
        return [{ pid: Number(name), parent: number('PPid'), bytes: number('VmRSS') * 1024 }];
      } catch {
        // Ended meanwhile.
        return [];
      }
    });
  const below = (parent: number): number =>
    statuses
      .filter((status) => status.parent === parent)
      .reduce((sum, status) => sum + status.bytes + below(status.pid), 0);
  return below(Number(pid)) + (statuses.find((status) => status.pid === pid)?.bytes ?? 0);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

const results = new Map(checkouts.map((checkout) => [checkout, [] as Figures[]]));
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const checkout of checkouts) {
    const figures = await firstStart(checkout);
    console.error(`round ${round} of ${values.rounds}, ${checkout}: ${JSON.stringify(figures)}`);
    // The first round may have downloaded.
    if (round > 0) results.get(checkout)?.push(figures);
  }
}

const rows: readonly [string, string, keyof Figures, number | undefined][] = [
  ['From git clone to the page', 's', 'seconds', 30],
  ['First line of npm start', 's', 'firstLine', 1],
  ['node_modules after npm start', 'MB', 'installed', 500],
  ['Memory of the local product after its first page', 'MB', 'memory', undefined],
];
const [own, other] = checkouts.map((checkout) => results.get(checkout) ?? []);
report(
  rows.map(([what, unit, key, most]): Measurement => {
    const of = (figures: readonly Figures[] | undefined) => median((figures ?? []).map((each) => each[key]));
    return {
      what,
      unit,
      value: of(own),
      before: other && of(other),
      goal: most === undefined ? undefined : { most },
    };
  }),
);
