import { expect, test, vi } from 'vitest';
import { counterexample } from './run.ts';
import { Tally } from './counters.ts';

// Two files live a half each, so that two cores have something to do. Two thousand are what a push waits for; `npm run
// bench:simulation` goes on for as long as one likes.
const RUNS = Number(process.env['CHAOS_RUNS'] ?? 2_000) / 2;

// A push lives the same histories each time, so that what fails is what was pushed. New ones are for `bench:simulation`, which draws its
// seeds, and for `CHAOS_SEED`.
const SEEDS = { first: 20_260_101, second: 20_260_202 };

/** `CHAOS_SEED` repeats a run, and with `CHAOS_PATH`, as a failure prints both, the one history that failed. */
export function liveHistories(half: 'first' | 'second'): void {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});

  test(
    'whatever the enemy does, payers have Plus, nobody else does, and nobody pays twice',
    { timeout: 15 * 60_000 },
    async () => {
      const seed = Number(process.env['CHAOS_SEED'] ?? SEEDS[half]);
      const tally = new Tally();
      process.stdout.write(`${half} half: CHAOS_SEED=${seed}, ${RUNS} histories\n`);
      const started = performance.now();
      const found = await counterexample({ seed, runs: RUNS, tally, path: process.env['CHAOS_PATH'] });
      const each = (performance.now() - started) / tally.of('Histories', 'lived through');
      process.stdout.write(`${tally.toString()}\n${half} half: ${each.toFixed(1)} ms a history\n`);
      expect(found?.text ?? '').toBe('');
    },
  );
}
