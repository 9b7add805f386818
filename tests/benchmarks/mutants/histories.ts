/** Random histories of the simulation, few enough to repeat them for each mutant, and not shrunk. */
import { expect, test } from 'vitest';
import { findCounterexample } from '../../simulation/find-counterexample.ts';

const HISTORIES = 25;

test.each([1, 2, 3, 4])('random histories keep the invariants: seed %i', async (seed) => {
  const found = await findCounterexample({
    seed,
    runs: HISTORIES,
    shrink: false,
  });
  expect(found?.error).toBeUndefined();
});
