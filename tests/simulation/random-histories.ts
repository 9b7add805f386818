import { expect, test, vi } from 'vitest';
import { Counters } from './counters.ts';
import { findCounterexample } from './find-counterexample.ts';

// Two test files run a half each, in parallel. `npm run bench:simulation` runs as many histories as time
// allows.
const RUNS = Number(process.env['SELFSAME_SIMULATION_RUNS'] ?? 2_000) / 2;

// Fixed, so that a failure in `npm test` comes from the change under test. `bench:simulation` draws new
// seeds.
const SEEDS = { first: 20_260_101, second: 20_260_202 };

/**
 * `SELFSAME_SIMULATION_SEED` repeats a run. With `SELFSAME_SIMULATION_PATH` from a failure's output it
 * repeats the history that failed.
 */
export function testRandomHistories(half: 'first' | 'second'): void {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});

  test(
    'payers have Plus, other users are on Free, and no user pays twice, whatever faults happen',
    { timeout: 15 * 60_000 },
    async () => {
      const seed = Number(process.env['SELFSAME_SIMULATION_SEED'] ?? SEEDS[half]);
      const path = process.env['SELFSAME_SIMULATION_PATH'];
      const counters = new Counters();
      process.stdout.write(`${half} half: SELFSAME_SIMULATION_SEED=${seed}, ${RUNS} histories\n`);
      const started = performance.now();
      const found = await findCounterexample({ seed, runs: RUNS, counters, path });
      const each = (performance.now() - started) / counters.of('Histories', 'completed');
      process.stdout.write(`${counters.toString()}\n${half} half: ${each.toFixed(1)} ms a history\n`);
      expect(found?.text ?? '').toBe('');
    },
  );
}
