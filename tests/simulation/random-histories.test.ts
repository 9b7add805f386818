import { expect, test } from 'vitest';
import { findCounterexample, HISTORIES, SEED } from './find-counterexample.ts';

const {
  SELFSAME_SIMULATION_RUNS = HISTORIES,
  SELFSAME_SIMULATION_SEED = SEED,
  SELFSAME_SIMULATION_PATH: path,
} = process.env;
const runs = Number(SELFSAME_SIMULATION_RUNS);
const seed = Number(SELFSAME_SIMULATION_SEED);

test(
  'payers have Plus, other users are on Free, and no user pays twice, whatever faults happen',
  // Ten seconds for each history are far more than it takes, also on a busy machine.
  { timeout: Math.max(900, 10 * runs) * 1_000 },
  async () => {
    process.stdout.write(`SELFSAME_SIMULATION_SEED=${seed}, ${runs} histories\n`);
    const found = await findCounterexample({ seed, runs, path });
    expect(found?.text ?? '').toBe('');
  },
);
