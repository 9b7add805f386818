/** Vitest's runner, with mutants: see `Plan`. Vitest creates one for each test file. */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TestRunner, type TestRunnerConfig, type RunnerTestCase, type TestTryOptions } from 'vitest';
import { type Entry, type Plan, PLAN_VARIABLE } from './plan.ts';

/** The object that instrumented code reads and writes, as Stryker's own runners use it. */
interface Namespace {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: {
    static: Record<string, number>;
    perTest: Record<string, Record<string, number>>;
  };
}

// A loop without an end passes its mutant again and again. Stryker's own runners use the same factor.
const HIT_FACTOR = 100;
const LEAST_HIT_LIMIT = 10_000;

/** Where instrumented code finds it. */
const NAMESPACE = '__stryker__';

const namespace = ((globalThis as unknown as Record<string, Namespace | undefined>)[NAMESPACE] ??= {});
const plan = JSON.parse(readFileSync(process.env[PLAN_VARIABLE] ?? '', 'utf8')) as Plan;
const write = (entry: Entry) => appendFileSync(plan.log, `${JSON.stringify(entry)}\n`);

export default class MutantTestRunner extends TestRunner {
  readonly #remaining = new Set(plan.mutants);
  /** The mutants of the current test, a repetition each. */
  #queue: string[] = [];
  #noticedByTest: string[] = [];
  #began = 0;

  constructor(config: TestRunnerConfig) {
    super(config);
    for (const line of readFileSync(plan.log, 'utf8').split('\n').filter(Boolean)) {
      const entry = JSON.parse(line) as Entry;
      if (entry.kind === 'noticed') this.#remaining.delete(entry.mutant);
    }
    if (plan.mode === 'load') namespace.activeMutant = plan.mutants[0];
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (test.type !== 'test' || test.mode !== 'run') return;
    if (plan.mode === 'coverage') return;
    if (plan.mode === 'load') {
      if (this.#remaining.size === 0) test.mode = 'skip';
      return;
    }
    this.#noticedByTest = [];
    this.#queue = Object.keys(plan.reached[keyOf(test)] ?? {}).filter((id) => this.#remaining.has(id));
    if (this.#queue.length === 0) test.mode = 'skip';
    // Once before all mutants and once after them without any.
    else test.repeats = this.#queue.length + 1;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    const key = keyOf(test);
    this.#began = performance.now();
    namespace.currentTestId = plan.mode === 'coverage' ? key : undefined;
    if (plan.mode !== 'repeat') return;
    const mutant = this.#queue[options.repeats - 1];
    if (mutant !== undefined) write({ kind: 'begun', mutant, test: key });
    namespace.hitCount = 0;
    namespace.hitLimit = LEAST_HIT_LIMIT + HIT_FACTOR * (plan.reached[key]?.[mutant ?? ''] ?? 0);
    namespace.activeMutant = mutant;
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const key = keyOf(test);
    const active = namespace.activeMutant;
    const result = test.result;
    const failed = result?.state === 'fail' || (namespace.hitCount ?? 0) > (namespace.hitLimit ?? Infinity);
    const message = result?.errors?.at(-1)?.message ?? '';
    namespace.currentTestId = undefined;
    if (plan.mode === 'coverage') {
      if (failed) write({ kind: 'broken', test: key, message });
      const hits = namespace.mutantCoverage?.perTest[key] ?? {};
      write({ kind: 'reached', test: key, milliseconds: performance.now() - this.#began, hits });
      return;
    }
    if (failed && active !== undefined) this.#noticed(key);
    if (plan.mode === 'load') return;
    namespace.activeMutant = undefined;
    namespace.hitLimit = undefined;
    if (failed && options.repeats === 0) {
      write({ kind: 'broken', test: key, message });
      this.#queue = [];
    } else if (failed && active === undefined && this.#noticedByTest.length > 0) {
      write({ kind: 'unrepeatable', test: key, mutants: this.#noticedByTest });
    }
    // The failures are what is looked for: Vitest has nothing to report and compares no values for it.
    if (result) Object.assign(result, { state: 'pass', errors: undefined });
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files);
    // A module that fails to load fails its test files, which then have no tests.
    if (plan.mode === 'load' && files.some(({ result }) => result?.state === 'fail')) {
      this.#noticed('loading');
    }
    if (plan.mode !== 'coverage') return;
    for (const { filepath } of files) {
      const hits = namespace.mutantCoverage?.static ?? {};
      write({ kind: 'loaded', file: path.relative(this.config.root, filepath), hits });
    }
  }

  #noticed(test: string): void {
    const mutant = namespace.activeMutant;
    if (mutant === undefined || !this.#remaining.delete(mutant)) return;
    this.#noticedByTest.push(mutant);
    write({ kind: 'noticed', mutant, test });
  }
}

/** The file, the names of the suites and the test, and where it is, since names can repeat. */
function keyOf(test: RunnerTestCase): string {
  return `${test.file.name}#${test.fullTestName}#${test.id}`;
}
