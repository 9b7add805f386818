/**
 * Sends hostile requests to a local world, each on its own connection:
 * `npm run test:fuzz -- [--requests 10000] [--seed 1]`. So many go to the API, and a quarter as
 * many to the site. Fails if a request gets
 * a status from 500 on, gets no answer, or changes the answer to a good request.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { synthesizeStaging } from '../infra/local/stack/synthesis.ts';
import { endpointsOf, unthrottled } from './fixtures/hostile/endpoints.ts';
import { type FuzzedEndpoint, fuzz } from './fixtures/hostile/fuzz.ts';
import { World } from './fixtures/worlds/world.ts';

const PORT = 4_940;
// The API gets the most requests, since its functions are the product.
const SHARES = { api: 1, site: 0.25 };
// The access tokens of the requests live for fifteen minutes.
const ROUND = 2_500;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed);

const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-fuzz-'));
const site = path.resolve(import.meta.dirname, '../web/public');
console.log(`Seed ${seed}. Synthesizing the stack …`);
const synthesized = await synthesizeStaging({ outdir: path.join(folder, 'out'), site });
writeFileSync(synthesized.template, unthrottled(synthesized.template));
process.env['SELFSAME_BUILT'] = JSON.stringify({ dist: site, synthesized });
const world = new World(PORT);
try {
  await world.start();
  let endpoints = await endpointsOf(world, PORT);
  for (const name of Object.keys(SHARES) as (keyof typeof SHARES)[]) {
    const total = Math.round(requests * SHARES[name]);
    const counts = new Map<number, number>();
    for (let begun = 0; begun < total; begun += ROUND) {
      endpoints = await endpointsOf(world, PORT);
      await send(endpoints[name], Math.min(ROUND, total - begun), { seed: seed + begun, counts });
    }
    const statuses = [...counts]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`);
    console.log(`${endpoints[name].name}: ${total} requests. ${statuses.join(', ')}`);
  }
  const failures = world.output.filter((line) => /request-failed|^\S*Error\b/.test(line));
  for (const line of failures) console.log(line);
  if (failures.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function send(
  endpoint: FuzzedEndpoint,
  count: number,
  { seed: from, counts }: { seed: number; counts: Map<number, number> },
): Promise<void> {
  for (const [status, times] of await fuzz(endpoint, { requests: count, seed: from })) {
    counts.set(status, (counts.get(status) ?? 0) + times);
  }
}
