/**
 * Runs simulated histories for a given time: `npm run bench:simulation -- --minutes 60`. Runs rounds of a
 * thousand histories, each with a new seed, until the time is up or an invariant breaks, and prints how often
 * what happened. tests/simulation/README.md says how to reproduce a failure.
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
// Silences the handlers' logs.
console.info = () => {};
console.error = () => {};

const { findCounterexample, seedFrom } = await import('../simulation/find-counterexample.ts');
const { Counters } = await import('../simulation/counters.ts');

const counters = new Counters();
const started = performance.now();
const elapsed = () => performance.now() - started;
do {
  const seed = seedFrom(process.env['SELFSAME_SIMULATION_SEED']);
  const found = await findCounterexample({
    seed,
    runs: Number(process.env['SELFSAME_SIMULATION_RUNS'] ?? ROUND),
    counters,
    path: process.env['SELFSAME_SIMULATION_PATH'],
  });
  if (found) {
    console.log(`Failed after ${found.runs} histories.\n${found.text}`);
    process.exitCode = 1;
    break;
  }
  const completed = counters.of('Histories', 'completed');
  const each = (elapsed() / completed).toFixed(1);
  console.log(
    `seed ${seed}: ${completed} histories so far, ${each} ms each, ${(elapsed() / 60_000).toFixed(1)} minutes`,
  );
} while (elapsed() < Number(values.minutes) * 60_000);
console.log(`\n${counters.toString()}`);
