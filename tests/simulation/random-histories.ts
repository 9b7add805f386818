import { expect, test, vi } from 'vitest';
import { Counters } from './counters.ts';
import { findCounterexample } from './find-counterexample.ts';

// Two files, with a seed each, run a half in parallel: a worker of Vitest runs one file at a time.
const RUNS = Number(process.env['SELFSAME_SIMULATION_RUNS'] ?? 2_000) / 2;

/**
 * `fixedSeed`: a failure in `npm test` comes from the change under test. `SELFSAME_SIMULATION_SEED` repeats
 * another run. With `SELFSAME_SIMULATION_PATH` from a failure's output it repeats the history that failed.
 */
export function testRandomHistories(fixedSeed: number): void {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});

  test(
    'payers have Plus, other users are on Free, and no user pays twice, whatever faults happen',
    // A second for each history is far more than it takes.
    { timeout: Math.max(900, RUNS) * 1_000 },
    async () => {
      const seed = Number(process.env['SELFSAME_SIMULATION_SEED'] ?? fixedSeed);
      const path = process.env['SELFSAME_SIMULATION_PATH'];
      const counters = new Counters();
      process.stdout.write(`SELFSAME_SIMULATION_SEED=${seed}, ${RUNS} histories\n`);
      const started = performance.now();
      const found = await findCounterexample({ seed, runs: RUNS, counters, path });
      const each = (performance.now() - started) / counters.of('Histories', 'completed');
      process.stdout.write(`${counters.toString()}\nSeed ${seed}: ${each.toFixed(1)} ms a history\n`);
      expect(found?.text ?? '').toBe('');
    },
  );
}
