import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import {
  readOutcome,
  readPlaywrightReport,
  readVitestReport,
  type Outcome,
} from './fixtures/repository/reports.ts';

interface Step {
  name: string;
  command: readonly [string, ...string[]];
  /** Reads the command's report. Without it, the step counts as one test. */
  read?: (report: unknown) => Outcome;
  /** Added to the environment. */
  env?: Readonly<Record<string, string>>;
}

/** Steps that run one after the other, beside the other lanes. */
interface Lane {
  steps: readonly Step[];
  /** Added to the processes' nice value. */
  nice: number;
}

interface Result extends Outcome {
  name: string;
  seconds: number;
}

// Milliseconds.
const PROGRESS_INTERVAL = 30_000;

const { values: options } = parseArgs({
  options: {
    // Types, lint, format and what is unused, without a test.
    checks: { type: 'boolean', default: false },
    // The tests of the local world, and nothing else.
    local: { type: 'boolean', default: false },
  },
});
const root = path.resolve(import.meta.dirname, '..');
const reports = await mkdtemp(path.join(tmpdir(), 'selfsame-tests-'));
const reportOf = (name: string): string => path.join(reports, `${name}.json`);

const lint: Step = {
  name: 'types and lint',
  command: ['oxlint', '--deny-warnings', '--type-check'],
};
const checks: readonly Step[] = [
  { name: 'unused files, exports and packages', command: ['knip'] },
  { name: 'format', command: ['oxfmt', '--check'] },
];

const recording = { SELFSAME_WIRE_FOLDER: path.join(reports, 'wire') };
const vitest = (name: string, config: string): Step => ({
  name,
  // With a key, the contract would be tried on Stripe's test mode.
  env: { ...recording, STRIPE_SECRET_KEY: '' },
  command: [
    'vitest',
    'run',
    `--config=${config}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportOf(name)}`,
  ],
  read: readVitestReport,
});
const WIRE = 'messages to and from Stripe';
const wire: Step = {
  name: WIRE,
  command: [process.execPath, 'infra/local/wire/check-wire.ts', `--report=${reportOf(WIRE)}`],
  read: readOutcome,
  env: recording,
};
// In one run, the files of the next suite begin where a worker has none left of the suite before. The unit
// tests, many short files, come last.
const suites: readonly Step[] = [
  vitest('contract, infra, integration, simulation, unit', 'tests/vitest.config.ts'),
  wire,
];
const localSteps: readonly Step[] = [vitest('the local world', 'infra/local/vitest.config.ts'), wire];

const journeys: Step = {
  name: 'journeys',
  command: ['playwright', 'test', '--config', 'tests/playwright.config.ts', '--reporter', 'list,json'],
  read: readPlaywrightReport,
};

function lanesFor(cores: number): readonly Lane[] {
  if (options.checks) {
    return [
      { steps: [lint], nice: 0 },
      { steps: checks, nice: 0 },
    ];
  }
  if (options.local) return [{ steps: localSteps, nice: 0 }];
  // The journeys take longest, and wait half of the time. The others run meanwhile.
  const browser: Lane = { steps: [journeys], nice: 0 };
  if (cores < 4) return [browser, { steps: [lint, ...checks, ...suites], nice: 5 }];
  return [browser, { steps: suites, nice: 5 }, { steps: [lint, ...checks], nice: 5 }];
}

/** The process groups of the running steps. They end with this process. */
const running = new Set<number>();
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const group of running) process.kill(-group, 'SIGTERM');
    process.kill(process.pid, signal);
  });
}

/**
 * Runs the step, and prints its output when it has ended: the lanes' lines would mix. Until then, its newest
 * line appears now and then.
 */
async function run({ name, command, read, env }: Step, nice: number): Promise<Result> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  console.log(`── ${name} …`);
  const [program, ...parameters] = command;
  const output: Buffer[] = [];
  const progress = setInterval(() => {
    console.log(`── ${name}, ${elapsed().toFixed(0)} s: ${newestLine(output)}`);
  }, PROGRESS_INTERVAL);
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: root,
      // A group of its own, so that a signal reaches the step's own processes too.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
        PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf(name),
        // Most processes import the same modules.
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
        // With the default, 100, Go’s garbage collector takes a third of the CPU time of lint and of esbuild.
        GOGC: '400',
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
        ...env,
      },
    });
    if (child.pid !== undefined) running.add(child.pid);
    // Its own processes inherit it.
    if (nice > 0 && child.pid !== undefined) setPriority(child.pid, nice);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => output.push(chunk));
    }
    child.on('error', reject).on('close', (exit) => {
      if (child.pid !== undefined) running.delete(child.pid);
      resolve(exit ?? 1);
    });
  });
  clearInterval(progress);
  const outcome = (read && (await readReport(name, read))) ?? {
    passed: code === 0 ? 1 : 0,
    failed: 0,
    failures: [],
  };
  // A runner can fail without a failed test: in a hook, by an unhandled rejection, or without any tests.
  if (code !== 0 && outcome.failed === 0) {
    outcome.failed = 1;
    outcome.failures = [`${name}: exit code ${code}\n  ${newestLine(output)}`];
  }
  const seconds = elapsed();
  console.log(`\n── ${name}\n${Buffer.concat(output).toString().trimEnd()}`);
  console.log(`── ${name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds.toFixed(1)} s)`);
  return { name, seconds, ...outcome };
}

function newestLine(output: readonly Buffer[]): string {
  const end = stripVTControlCharacters(Buffer.concat(output.slice(-5)).toString());
  return (
    end
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

async function readReport(name: string, read: (report: unknown) => Outcome): Promise<Outcome | undefined> {
  try {
    return read(JSON.parse(await readFile(reportOf(name), 'utf8')));
  } catch {
    return undefined;
  }
}

/** The results as lines: name, passed, failed, seconds. */
function table(rows: readonly Result[]): string {
  const cells = [
    ['step', 'passed', 'failed', 'seconds'],
    ...rows.map(({ name, passed, failed, seconds }) => [name, `${passed}`, `${failed}`, seconds.toFixed(1)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

const results = await Promise.all(
  lanesFor(availableParallelism()).map(async ({ steps, nice }) => {
    const ended: Result[] = [];
    for (const step of steps) ended.push(await run(step, nice));
    return ended;
  }),
);
await rm(reports, { recursive: true, force: true });
const rows = results.flat();
const sum = (counted: 'passed' | 'failed'): number => rows.reduce((total, row) => total + row[counted], 0);
console.log(`\n${table(rows)}`);
for (const { name, notes = [] } of rows) {
  if (notes.length > 0) console.log(`\n${name}:\n  ${notes.join('\n  ')}`);
}
// Last, where a long output is read first.
for (const { name, failures } of rows) {
  for (const text of failures) console.log(`\nFailed in ${name}: ${text}`);
}
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
