/**
 * Measures what an engineer waits for: `npm run bench -- loop [--rounds 3] [--against folder]`.
 * The second `npm start` until the page, its script and a function answer; a saved handler until its new
 * answer is served; a saved construct until the distribution serves its change; `npm run synth` for both
 * stages, after a change of the site and again. Everything runs in a copy, so the checkout isn't edited. CPU
 * is that of all processes, user and system; a busy machine changes it less than the time. It is measured on
 * Linux only.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Measurement, median, report } from './report.ts';

// A port and the three after it.
const PORT = 4380;
const ORIGIN = `http://localhost:${PORT}`;
// Milliseconds between two requests. A figure is at most that much too high.
const POLL = 20;
const PATIENCE = 300_000;
const HANDLER = 'functions/github-oidc/github-oidc.ts';
const CONSTRUCT = 'infra/constructs/website/response-headers.ts';
const PAGE = 'web/index.html';
// Linux's, on every architecture that Node runs on.
const TICKS_A_SECOND = 100;
// A function that needs no account. It signs nobody in, but it has been loaded.
const FUNCTION = '/api/github-oidc/jwks';

interface Cost {
  milliseconds: number;
  cpu: number;
}
type Figures = Record<'start' | 'handler' | 'construct' | 'site' | 'synth', Cost[]>;

const get = (address: string) =>
  fetch(`${ORIGIN}${address}`, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(60_000) });

const answers = (text: string) => async () => (await (await get(FUNCTION)).text()) === text;

/** The handler with another answer, and everything that it imports. */
const withAnswer = (text: string) => (source: string) =>
  replaced(source, 'export const handler =', 'export const replaced =').concat(
    `\nexport const handler = async () => ({ statusCode: 200, body: '${text}' });\n`,
  );

const permits = (name: string) => async () =>
  (await get('/')).headers.get('permissions-policy')?.includes(`${name}=()`) ?? false;

const withPermission = (name: string) => (source: string) =>
  replaced(source, "value: 'camera=(),", `value: '${name}=(), camera=(),`);

const secondsOf = (cost: Cost | undefined) =>
  cost ? `${(cost.milliseconds / 1_000).toFixed(1)} s (CPU ${(cost.cpu / 1_000).toFixed(1)} s)` : '';

const { values } = parseArgs({
  options: { against: { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const scratch = mkdtempSync(path.join(tmpdir(), 'selfsame-loop-'));
const progress = (line: string) => console.error(line);
let ending: (() => void) | undefined;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.on('exit', () => {
  ending?.();
  rmSync(scratch, { recursive: true, force: true });
});

const here = path.resolve(import.meta.dirname, '../..');
const checkouts = [...(values.against ? [path.resolve(values.against)] : []), here].map(
  (checkout, index) => ({
    name: index === 0 && values.against ? 'before' : 'now',
    folder: copyOf(checkout, path.join(scratch, String(index))),
    figures: { start: [], handler: [], construct: [], site: [], synth: [] } as Figures,
  }),
);
for (const { name, folder } of checkouts) {
  progress(`${name}: first start`);
  await (await started(folder)).stop();
}
for (let round = 1; round <= Number(values.rounds); round += 1) {
  for (const { name, folder, figures } of checkouts) {
    const world = await started(folder);
    figures.start.push(world.cost);
    figures.handler.push(
      await world.edited(HANDLER, withAnswer(`handler ${round}`), answers(`handler ${round}`)),
    );
    figures.construct.push(
      await world.edited(CONSTRUCT, withPermission(`bench${round}`), permits(`bench${round}`)),
    );
    await world.stop();
    appendFileSync(path.join(folder, PAGE), '\n');
    figures.site.push(synthCost(folder));
    figures.synth.push(synthCost(folder));
    const shown = Object.entries(figures).map(([what, costs]) => `${what} ${secondsOf(costs.at(-1))}`);
    progress(`${name}, round ${round} of ${values.rounds}: ${shown.join(', ')}`);
  }
}

report(
  (
    [
      ['start', 'Second start, until the page and a function answer', 4_000],
      ['handler', 'A saved handler, until its new answer', 500],
      ['construct', 'A saved construct, until it is served', 4_000],
      ['site', '`npm run synth`, both stages, after a change of the site', undefined],
      ['synth', '`npm run synth`, both stages, again', 6_000],
    ] as const
  ).flatMap(([what, title, most]) => {
    const middle = (name: string, of: keyof Cost) => {
      const found = checkouts.find((checkout) => checkout.name === name);
      return found && median(found.figures[what].map((cost) => cost[of]));
    };
    const figure = (of: keyof Cost) => ({
      unit: 'ms',
      value: middle('now', of) ?? Number.NaN,
      before: middle('before', of),
    });
    return [
      { what: title, ...figure('milliseconds'), ...(most !== undefined && { goal: { most } }) },
      { what: `${title}: CPU`, ...figure('cpu') },
    ] satisfies Measurement[];
  }),
);

/** Copies what git knows or would add, and links the packages. Returns the copy. */
function copyOf(checkout: string, copy: string): string {
  progress(`Copying ${checkout} …`);
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: checkout });
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(checkout, file), path.join(copy, file));
  }
  const [from, to] = [path.join(checkout, 'node_modules'), path.join(copy, 'node_modules')];
  // GNU's cp makes hard links. They need the same file system.
  const linked = spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0;
  if (!linked) {
    rmSync(to, { recursive: true, force: true });
    execFileSync('cp', ['-R', from, to]);
  }
  rmSync(path.join(to, '.cache'), { recursive: true, force: true });
  return copy;
}

/** Runs `npm start` in a checkout until the page, its module scripts and a function answer. */
async function started(folder: string) {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: String(PORT), LOCAL_DATA: path.join(folder, '.local') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own group, which is ended as a whole.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('npm could not be started.');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const exit = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  ending = () => void (isRunning() && process.kill(-pid, 'SIGKILL'));
  const costOf = async (condition: () => Promise<boolean>, from: { at: number; cpu: number }) => {
    const deadline = performance.now() + PATIENCE;
    while (!(await condition().catch(() => false))) {
      if (!isRunning() || performance.now() > deadline) throw new Error(`It did not come up:\n${output}`);
      await delay(POLL);
    }
    return { milliseconds: performance.now() - from.at, cpu: cpuBelow(pid) - from.cpu };
  };
  const cost = await costOf(isUsable, { at: began, cpu: 0 });
  return {
    cost,
    /** Saves a file, waits until `isLive`, and restores it. */
    edited: async (file: string, edit: (text: string) => string, isLive: () => Promise<boolean>) => {
      const absolute = path.join(folder, file);
      const text = readFileSync(absolute, 'utf8');
      const from = { at: performance.now(), cpu: cpuBelow(pid) };
      writeFileSync(absolute, edit(text));
      const found = await costOf(isLive, from);
      writeFileSync(absolute, text);
      await costOf(async () => !(await isLive()), from);
      return found;
    },
    stop: async () => {
      process.kill(-pid, 'SIGTERM');
      await exit;
      // npm may end before the world does.
      while ((await get('/').catch(() => undefined)) !== undefined) await delay(POLL);
      ending = undefined;
    },
  };
}

async function isUsable(): Promise<boolean> {
  const page = await get('/');
  const html = await page.text();
  const scripts = [...html.matchAll(/<script[^>]*type="module"[^>]*src="([^"]+)"/g)].map(([, src]) => src);
  if (!page.ok || scripts.length === 0) return false;
  for (const src of scripts) if (!(await get(src ?? '')).ok) return false;
  return (await get(FUNCTION)).ok;
}

function replaced(source: string, part: string, by: string): string {
  if (!source.includes(part)) throw new Error(`The source has no ${part}`);
  return source.replace(part, by);
}

/** CPU milliseconds of a process, its living descendants, and those that have ended. */
function cpuBelow(root: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // The name in parentheses may contain spaces.
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
          .map(Number);
        const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + (fields[field] ?? 0), 0);
        return [{ pid: Number(pid), parent: fields[1] ?? 0, ticks }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
  const sumOf = (pid: number): number =>
    (stats.find((one) => one.pid === pid)?.ticks ?? 0) +
    stats.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + sumOf(child.pid), 0);
  return (sumOf(root) * 1_000) / TICKS_A_SECOND;
}

function synthCost(folder: string): Cost {
  const began = performance.now();
  const { status, stderr } = spawnSync('bash', ['-c', "TIMEFORMAT='%U %S'; time npm run --silent synth"], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm run synth failed:\n${stderr}`);
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { milliseconds: performance.now() - began, cpu: (user + system) * 1_000 };
}
