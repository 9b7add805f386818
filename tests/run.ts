import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import * as z from 'zod/mini';

/** What a step came to. */
interface Outcome {
  passed: number;
  failed: number;
}

interface Step {
  name: string;
  command: readonly [string, ...string[]];
  /**
   * Reads how many tests passed and failed from the report the command left; one by its exit code otherwise.
   */
  count?: (report: unknown) => Outcome;
}

const VitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
});

const root = path.resolve(import.meta.dirname, '..');
const reports = await mkdtemp(path.join(tmpdir(), 'selfsame-tests-'));
const reportOf = (name: string): string => path.join(reports, `${name}.json`);

const checks: Step[] = [
  { name: 'types', command: ['tsc', '--project', '.'] },
  { name: 'types of the site', command: ['tsc', '--project', 'web'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'unused files, exports and packages', command: ['knip'] },
];
const suites: Step[] = [
  ...['unit', 'infra', 'integration', 'simulation'].map((name): Step => ({
    name,
    command: [
      'vitest',
      'run',
      '--config=tests/vitest.config.ts',
      `--project=${name}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportOf(name)}`,
    ],
    count: (report) => {
      const { numPassedTests, numFailedTests } = VitestReport.parse(report);
      return { passed: numPassedTests, failed: numFailedTests };
    },
  })),
  {
    name: 'journeys',
    command: ['playwright', 'test', '--config', 'tests/playwright.config.ts', '--reporter', 'list,json'],
    count: (report) => {
      const { expected, unexpected, flaky } = PlaywrightReport.parse(report).stats;
      // A test that passes only sometimes is broken.
      return { passed: expected, failed: unexpected + flaky };
    },
  },
];

async function run({ name, command, count }: Step): Promise<Outcome> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const [program, ...parameters] = command;
  const code = await new Promise<number>((resolve, reject) => {
    spawn(program, parameters, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
        PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf(name),
      },
    })
      .on('error', reject)
      .on('close', (exit) => resolve(exit ?? 1));
  });
  const failedAsAWhole = code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const outcome = (count && (await counted(name, count))) ?? failedAsAWhole;
  // A runner can fail without a failed test: a hook, an unhandled rejection, nothing found to run.
  if (code !== 0 && outcome.failed === 0) outcome.failed = 1;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)`);
  return outcome;
}

async function counted(name: string, count: (report: unknown) => Outcome): Promise<Outcome | undefined> {
  try {
    return count(JSON.parse(await readFile(reportOf(name), 'utf8')));
  } catch {
    return undefined;
  }
}

const total: Outcome = { passed: 0, failed: 0 };
for (const step of process.argv.includes('--checks') ? checks : [...checks, ...suites]) {
  const { passed, failed } = await run(step);
  total.passed += passed;
  total.failed += failed;
}
await rm(reports, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
