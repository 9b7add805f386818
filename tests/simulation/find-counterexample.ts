import * as fc from 'fast-check';
import type { History } from './history/history.ts';
import { anyHistory } from './history/history-arbitrary.ts';
import { runHistory } from './simulation.ts';
import { Violation } from './world/violations.ts';
import type { WorldOptions } from './world/world.ts';

/** A failure in `npm test` comes from the change under test. */
export const SEED = 20_260_101;
/** Twice as many as find every mutant without histories of its own. `.ci/run` runs five times as many. */
export const HISTORIES = 120;

interface Counterexample {
  /** The failure, the variables that reproduce it, the history and its log. */
  text: string;
  error: string;
  /** The number of histories until the failure. */
  runs: number;
}

/**
 * Runs histories until an invariant breaks, and shrinks the history that failed. Undefined when none fails.
 */
export async function findCounterexample(options: {
  seed: number;
  runs: number;
  /** Where fast-check found an earlier counterexample. Runs that history only. */
  path?: string | undefined;
  build?: WorldOptions['build'];
  shrink?: boolean;
  histories?: fc.Arbitrary<History> | undefined;
}): Promise<Counterexample | undefined> {
  const { seed, runs, path, build, shrink = true, histories = anyHistory() } = options;
  const property = fc.asyncProperty(histories, (history) => runHistory(history, { build }));
  const found = await fc.check(property, {
    seed,
    numRuns: runs,
    ...(path !== undefined && { path }),
    endOnFailure: !shrink,
  });
  if (!found.failed) return undefined;
  const [shortest] = found.counterexample ?? [];
  const log: string[] = [];
  // The failure is known; this run produces its log and its stack.
  const failure: unknown =
    shortest &&
    (await runHistory(shortest, { build, log: (line) => log.push(line) }).catch(
      (repeated: unknown) => repeated,
    ));
  const error = [failure, found.errorInstance].find((each) => each instanceof Error) ?? new Error('unknown');
  return {
    runs: found.numRuns,
    error: error.message,
    text: [
      error instanceof Violation ? error.message : (error.stack ?? error.message),
      `SELFSAME_SIMULATION_SEED=${seed} SELFSAME_SIMULATION_PATH=${found.counterexamplePath ?? ''}`,
      JSON.stringify(shortest),
      ...log,
    ].join('\n'),
  };
}
