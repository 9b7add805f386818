/** The work of a process that runs tests, which reads it from the file that `MUTANTS_PLAN` names. */
export interface Plan {
  /**
   * `coverage` runs every test once and records which mutants it reaches. `repeat` runs a test again for each
   * mutant that it reaches. `load` runs test files with one mutant active from their first import.
   */
  mode: 'coverage' | 'repeat' | 'load';
  /** The mutants that no test has noticed yet. In the mode `load`, a single one. */
  mutants: string[];
  /** Which mutants a test reaches, and how often, by the test's key. Empty in the mode `coverage`. */
  reached: Record<string, Record<string, number>>;
  /** Receives a line of JSON for each `Entry`, at once, so that nothing is lost when the process is ended. */
  log: string;
}

export type Entry =
  /** A test has begun with a mutant. */
  | { kind: 'begun'; mutant: string; test: string }
  /** A test has failed with a mutant, and passes without it. */
  | { kind: 'noticed'; mutant: string; test: string }
  /** A test failed after mutants although none was active, so what it said about these is unknown. */
  | { kind: 'unrepeatable'; test: string; mutants: string[] }
  /** Mutants that a test reaches, and how often. */
  | { kind: 'reached'; test: string; milliseconds: number; hits: Record<string, number> }
  /** Mutants that a test file reaches outside of its tests, mostly while modules load. */
  | { kind: 'loaded'; file: string; hits: Record<string, number> }
  /** A test failed although no mutant was active. */
  | { kind: 'broken'; test: string; message: string };

export const PLAN_VARIABLE = 'MUTANTS_PLAN';
