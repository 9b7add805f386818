/**
 * The enemy for as long as one likes: `npm run bench:simulation -- --minutes 60`. Lives histories through (tests/simulation) in rounds of a
 * thousand, each with a seed of its own, and says how often what happened; ends at the first thing that must not be.
 * `CHAOS_SEED` and `CHAOS_PATH` repeat a failure.
 */
import { parseArgs } from 'node:util';

const ROUND = 1_000;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } });

process.env['AWS_REGION'] ??= 'us-east-1';
process.env['AWS_ACCESS_KEY_ID'] ??= 'local';
process.env['AWS_SECRET_ACCESS_KEY'] ??= 'local';
process.env['PLANS_TABLE'] ??= 'UserPlans';
process.env['STRIPE_API'] ??= 'http://127.0.0.1:1';
process.env['STRIPE_SECRET_ID'] ??= 'none';
process.env['USER_POOL_ID'] ??= 'us-east-1_Pool';
process.env['SITE_URL'] ??= 'https://selfsame.example';
process.env['MAIL_FROM'] ??= 'Selfsame <no-reply@selfsame.example>';
// The handlers say what they do; this table says it better.
console.info = () => {};
console.error = () => {};

const { counterexample, seedOf } = await import('../simulation/run.ts');
const { Tally } = await import('../simulation/counters.ts');

const tally = new Tally();
const started = performance.now();
const passed = () => performance.now() - started;
do {
  const seed = seedOf(process.env['CHAOS_SEED']);
  const found = await counterexample({
    seed,
    runs: Number(process.env['CHAOS_RUNS'] ?? ROUND),
    tally,
    path: process.env['CHAOS_PATH'],
  });
  if (found) {
    console.log(`Failed after ${found.runs} histories.\n${found.text}`);
    process.exitCode = 1;
    break;
  }
  const lived = tally.of('Histories', 'lived through');
  const each = (passed() / lived).toFixed(1);
  console.log(
    `seed ${seed}: ${lived} histories so far, ${each} ms each, ${(passed() / 60_000).toFixed(1)} minutes`,
  );
} while (passed() < Number(values.minutes) * 60_000);
console.log(`\n${tally.toString()}`);
