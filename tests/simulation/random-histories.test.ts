import { expect, test } from 'vitest';
import { findCounterexample } from './find-counterexample.ts';

const {
  SELFSAME_SIMULATION_RUNS = 600,
  // A failure in `npm test` comes from the change under test.
  SELFSAME_SIMULATION_SEED = 20_260_101,
  SELFSAME_SIMULATION_PATH: path,
} = process.env;
const runs = Number(SELFSAME_SIMULATION_RUNS);
const seed = Number(SELFSAME_SIMULATION_SEED);

test(
  'payers have Plus, other users are on Free, and no user pays twice, whatever faults happen',
  // A second for each history is far more than it takes.
  { timeout: Math.max(900, runs) * 1_000 },
  async () => {
    process.stdout.write(`SELFSAME_SIMULATION_SEED=${seed}, ${runs} histories\n`);
    const found = await findCounterexample({ seed, runs, path });
    expect(found?.text ?? '').toBe('');
  },
);
