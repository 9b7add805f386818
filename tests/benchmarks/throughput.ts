/**
 * Measures requests a second and latencies through the local world:
 * `npm run bench -- throughput [--seconds 2] [--rounds 3] [--connections 1,8,32,128]`.
 *
 * The world runs the bundles that `cdk deploy` uploads behind its CloudFront, API Gateway and Lambda, on the
 * real engine. It is compared with load/bare-server.ts, which makes the same calls to the same engine and the
 * same Stripe from a plain HTTP server. Rounds alternate between both. Everything shares this machine's
 * cores, the sender too, so only the ratio of both means something elsewhere.
 */
import { parseArgs } from 'node:util';
import { type Operation, prepareOperations } from './load/operations.ts';
import { type Load, sendRequests } from './load/send-requests.ts';
import { startUnthrottledWorld } from './load/unthrottled-world.ts';
import { type Measurement, median, report } from './report.ts';

const PORT = 4_900;
const WARM_UP = 1_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1,8,32,128' },
  },
});
const milliseconds = Number(values.seconds) * 1000;
const rounds = Number(values.rounds);
const measurements: Measurement[] = [];

await using ends = new AsyncDisposableStack();
const world = await startUnthrottledWorld(PORT, ends);
const operations = await prepareOperations(world, PORT);
ends.defer(() => operations.stop());
for (const connections of values.connections.split(',').map(Number)) {
  for (const operation of operations.list) measurements.push(...(await compare(operation, connections)));
  await operations.signIn();
}
report(measurements);

async function send(
  { name, product, bare, competes }: Operation,
  to: 'product' | 'bare',
  connections: number,
  duration: number,
): Promise<Load> {
  const load = await sendRequests(connections, to === 'product' ? product : bare, (gone) => gone > duration);
  const failed = [...load.statuses].filter(([status]) => status >= 300 && !(competes && status === 503));
  if (failed.length > 0) {
    const counts = failed.map(([status, count]) => `${status} (${count} times)`).join(', ');
    throw new Error(`${name} was answered ${counts} at ${connections} connections.`);
  }
  return load;
}

async function compare(operation: Operation, connections: number): Promise<Measurement[]> {
  // Starts the environments that other functions have displaced, and lets V8 compile what is hot.
  for (const to of ['product', 'bare'] as const) await send(operation, to, connections, WARM_UP);
  const loads: Load[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await send(operation, 'product', connections, milliseconds);
    const theirs = await send(operation, 'bare', connections, milliseconds);
    loads.push(ours);
    ratios.push(ours.requestsPerSecond / theirs.requestsPerSecond);
  }
  const what = `${operation.name}, ${connections} connection${connections === 1 ? '' : 's'}`;
  const perSecond = median(loads.map(({ requestsPerSecond }) => requestsPerSecond));
  const ratio = median(ratios);
  process.stderr.write(
    `${what}: ${perSecond.toFixed(0)} requests/s, ${ratio.toFixed(2)} of the bare server\n`,
  );
  const latency = (part: number) => median(loads.map(({ latencies }) => quantile(latencies, part)));
  return [
    { what, value: perSecond, unit: 'requests/s' },
    { what: `${what}: bare server = 1`, value: ratio, unit: 'ratio' },
    { what: `${what}: median`, value: latency(0.5), unit: 'ms' },
    { what: `${what}: 99th percentile`, value: latency(0.99), unit: 'ms' },
    ...(operation.competes
      ? [{ what: `${what}: left to Stripe's retry`, value: median(loads.map(failures)), unit: '%' }]
      : []),
  ];
}

function failures({ statuses, latencies }: Load): number {
  return (100 * (statuses.get(503) ?? 0)) / latencies.length;
}

function quantile(ascending: readonly number[], part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? Number.NaN;
}
