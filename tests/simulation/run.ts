import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { type History, history } from './history.ts';
import type { Product, Neighbours } from './product.ts';
import { Tally } from './counters.ts';
import { live, Violation } from './world.ts';

export const seedOf = (variable: string | undefined): number =>
  variable === undefined ? randomInt(2 ** 31) : Number(variable);

/** Lives so many histories through. Undefined where nothing is wrong, or else the shortest history that fast-check found, with what it takes to see it again. */
export async function counterexample(options: {
  seed: number;
  runs: number;
  tally: Tally;
  path?: string | undefined;
  build?: (neighbours: Neighbours) => Product;
  shrink?: boolean;
  /** Every kind of history otherwise. */
  histories?: fc.Arbitrary<History> | undefined;
}): Promise<{ text: string; error: string; runs: number } | undefined> {
  const { seed, runs, tally, path, build, shrink = true, histories = history() } = options;
  const property = fc.asyncProperty(histories, (one) => live(one, tally, build));
  const found = await fc.check(property, {
    seed,
    numRuns: runs,
    ...(path !== undefined && { path }),
    endOnFailure: !shrink,
  });
  if (!found.failed) return undefined;
  const [shortest] = found.counterexample ?? [];
  const story: string[] = [];
  if (shortest) await live(shortest, new Tally(), build, (line) => story.push(line)).catch(() => {});
  const error = found.errorInstance instanceof Error ? found.errorInstance : new Error('unknown');
  return {
    runs: found.numRuns,
    error: error.message,
    text: [
      error instanceof Violation ? error.message : (error.stack ?? error.message),
      `CHAOS_SEED=${seed} CHAOS_PATH=${found.counterexamplePath ?? ''}`,
      JSON.stringify(shortest),
      ...story,
    ].join('\n'),
  };
}
