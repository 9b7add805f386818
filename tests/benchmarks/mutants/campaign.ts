import { type Mutant } from './instrument.ts';
import { type Entry } from './plan.ts';
import { runTests } from './run-tests.ts';

type Hits = Record<string, number>;

interface Coverage {
  /** By the key of a test. */
  tests: Record<string, Hits>;
  /** By test file: what it reaches outside of its tests. */
  files: Record<string, Hits>;
  /** By test file, in milliseconds, without imports. */
  durations: Record<string, number>;
}

interface Options {
  /** The instrumented code, by file, as JSON. */
  codesFile: string;
  say: (line: string) => void;
  /** How many processes run tests at once. */
  workers: number;
  /** Leaves out the mutants that need a process each. They are not among the survivors. */
  quick: boolean;
}

/** Tries mutants on one group of test files after the other. */
export class Campaign {
  readonly #mutants: ReadonlyMap<string, Mutant>;
  readonly #remaining: Map<string, Mutant>;
  /** Noticed by a test that then failed without a mutant too. */
  readonly #doubtful = new Set<string>();
  readonly #options: Options;
  #leftOut = 0;

  constructor(mutants: readonly Mutant[], options: Options) {
    this.#mutants = new Map(mutants.map((mutant) => [mutant.id, mutant]));
    this.#remaining = new Map(this.#mutants);
    this.#options = options;
  }

  /** How many mutants were tried, whether noticed or not. */
  get tried(): number {
    return this.#mutants.size - this.#leftOut;
  }

  get survivors(): Mutant[] {
    return [...this.#remaining.values()];
  }

  async run(title: string, testFilesOfGroup: readonly string[]): Promise<void> {
    if (this.#remaining.size === 0) return;
    const began = performance.now();
    const { tests, files, durations } = await this.#coverage(testFilesOfGroup);
    // The fastest files notice most mutants, and spare the others the work.
    const testFiles = testFilesOfGroup.toSorted((a, b) => (durations[a] ?? 0) - (durations[b] ?? 0));
    const before = this.#remaining.size;
    await Promise.all(
      shares([...this.#remaining.keys()], this.#options.workers).map((mutants) =>
        this.#repeat(mutants, testFiles, { tests, files, durations }),
      ),
    );
    await this.#load(testFiles, { tests, files, durations });
    const noticed = before - this.#remaining.size;
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    this.#options.say(
      `${title}: ${noticed} of ${before} noticed, ${this.#remaining.size} of ${this.#mutants.size} remain (${seconds} s)`,
    );
    for (const { file, line, mutated } of this.#remaining.values()) {
      this.#options.say(`  ${file}:${line}: ${mutated}`);
    }
  }

  /** Repeats each test with each mutant that it reaches, all in one process. */
  async #repeat(
    mutants: readonly string[],
    testFiles: readonly string[],
    { tests }: Coverage,
  ): Promise<void> {
    const wanted = new Set(mutants);
    const needed = testFiles.filter((file) =>
      Object.entries(tests).some(
        ([test, hits]) => fileOf(test) === file && Object.keys(hits).some((id) => wanted.has(id)),
      ),
    );
    if (needed.length === 0) return;
    await runTests(
      this.#options.codesFile,
      needed,
      { mode: 'repeat', mutants: [...mutants], reached: tests },
      (entry) => this.#record(entry),
    );
  }

  /**
   * Tries mutants in a process each: those that act while modules load, and those whose test can't be
   * repeated in one process.
   */
  async #load(testFiles: readonly string[], { tests, files }: Coverage): Promise<void> {
    const reaches = (file: string, mutant: string) =>
      files[file]?.[mutant] ??
      (this.#doubtful.has(mutant) &&
        Object.entries(tests).some(([test, hits]) => fileOf(test) === file && hits[mutant]));
    const waiting = [...this.#remaining.keys()]
      .map((mutant) => ({ mutant, needed: testFiles.filter((file) => reaches(file, mutant)) }))
      .filter(({ needed }) => needed.length > 0);
    this.#doubtful.clear();
    if (waiting.length > 0) this.#options.say(`  ${waiting.length} mutants need a process each`);
    if (this.#options.quick) {
      for (const { mutant } of waiting) {
        this.#remaining.delete(mutant);
        this.#leftOut += 1;
      }
      return;
    }
    await Promise.all(
      shares(waiting, this.#options.workers).map(async (share) => {
        for (const { mutant, needed } of share) {
          const plan = { mode: 'load', mutants: [mutant], reached: {} } as const;
          await runTests(this.#options.codesFile, needed, { ...plan, mutants: [mutant] }, (entry) =>
            this.#record(entry),
          );
        }
      }),
    );
  }

  async #coverage(testFiles: readonly string[]): Promise<Coverage> {
    const tests: Record<string, Hits> = {};
    const durations: Record<string, number> = {};
    const files: Record<string, Hits> = {};
    await runTests(
      this.#options.codesFile,
      testFiles,
      { mode: 'coverage', mutants: [], reached: {} },
      (entry) => {
        if (entry.kind === 'reached') {
          tests[entry.test] = entry.hits;
          const file = fileOf(entry.test);
          durations[file] = (durations[file] ?? 0) + entry.milliseconds;
        }
        if (entry.kind === 'loaded') files[entry.file] = entry.hits;
        this.#record(entry);
      },
    );
    return { tests, files, durations };
  }

  #record(entry: Entry): void {
    if (entry.kind === 'noticed') this.#remaining.delete(entry.mutant);
    if (entry.kind === 'broken')
      this.#options.say(`  fails without a mutant: ${entry.test}: ${entry.message}`);
    if (entry.kind !== 'unrepeatable') return;
    this.#options.say(`  cannot be repeated in one process: ${entry.test}`);
    for (const id of entry.mutants) {
      const mutant = this.#mutants.get(id);
      if (!mutant) continue;
      this.#remaining.set(id, mutant);
      this.#doubtful.add(id);
    }
  }
}

const fileOf = (test: string): string => test.split('#')[0] ?? '';

/** Dealt out like cards, so that neighbours, which take equally long, go to different workers. */
const shares = <T>(all: readonly T[], count: number): T[][] =>
  Array.from({ length: count }, (_, share) => all.filter((_item, index) => index % count === share));
