/**
 * Runs test files with Vitest, in place of the product's code the code with mutants:
 * `node test-process.ts <codes.json> <test file …>`. `Plan` says what is done with each test.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node';
import { type Plan, PLAN_VARIABLE } from './plan.ts';

const [codesFile = '', ...testFiles] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(process.env[PLAN_VARIABLE] ?? '', 'utf8')) as Plan;
const root = path.resolve(import.meta.dirname, '../../..');
const codes = JSON.parse(readFileSync(codesFile, 'utf8')) as Record<string, string>;

/** Vitest would begin with the slowest file. */
class InGivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => testFiles.indexOf(path.relative(root, moduleId));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

// Hit counts bound loops. This bounds waiting for what never comes; the tests need milliseconds.
const TEST_TIMEOUT = 20_000;
// Random requests and a scenario of the simulation's crash matrix need seconds.
const LONG_TEST_TIMEOUT = 120_000;

const vitest = await startVitest(
  'test',
  testFiles,
  {
    root,
    config: false,
    watch: false,
    // It would answer with another run's mutants.
    fsModuleCache: false,
    include: testFiles,
    sequence: { sequencer: InGivenOrder },
    runner: path.join(import.meta.dirname, 'test-runner.ts'),
    reporters: process.env['DEBUG_MUTANTS'] ? ['default'] : [{}],
    pool: 'forks',
    maxWorkers: 1,
    // Modules load once for all files, except to find out which file loads what.
    isolate: plan.mode === 'coverage',
    bail: plan.mode === 'load' ? 1 : 0,
    testTimeout:
      plan.mode !== 'coverage' && testFiles.every((file) => file.startsWith('tests/unit/'))
        ? TEST_TIMEOUT
        : LONG_TEST_TIMEOUT,
    env: { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    onConsoleLog: () => false,
  },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        load: (id) => codes[path.relative(root, id.split('?')[0] ?? id)],
      },
    ],
  },
);
await vitest.close();
// Failed tests are results here, not failures.
process.exit(0);
