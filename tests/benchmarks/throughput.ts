/**
 * Measures requests a second and latencies through the local world:
 * `npm run bench:throughput -- [--seconds 2] [--rounds 3] [--connections 1,8,32,128] [--requests 20000]`.
 *
 * The world runs the bundles that `cdk deploy` uploads behind its CloudFront, API Gateway and Lambda, on the
 * real engine. It is compared with load/bare-server.ts, which makes the same calls to the same engine and the
 * same Stripe from a plain HTTP server. Rounds alternate between both. Everything shares this machine's
 * cores, the sender too, so only the ratio of both means something elsewhere.
 *
 * Then a CPU profile says who used the time of the functions' threads. `product` is functions/ and schemas/
 * with what they call, but not the AWS SDK and Stripe's library. The goal is about these threads, since they
 * are what is deployed; the local world's share of the whole process is given beside it.
 *
 * Then `GET /plan` is called `--requests` times, and memory is measured after collections in between. The
 * goal counts from 200,000 requests on: below, noise is larger. A single object that stays of every request
 * takes 12 bytes or more, so less than 4 bytes a request says that hardly any request leaves an object.
 */
import { parseArgs } from 'node:util';
import { profileWhile, SAMPLE_MICROSECONDS, shareOf, sum } from './load/cpu-share.ts';
import { type LoadedWorld, startLoadedWorld } from './load/loaded-world.ts';
import { growth, type MemorySample, residentMemory, sampleMemory } from './load/memory.ts';
import { measuredFunctions, type Operation, type Operations, prepareOperations } from './load/operations.ts';
import { type Load, sendRequests } from './load/send-requests.ts';
import { type Measurement, median, report } from './report.ts';

const PORT = 4_900;
// Connections of the profile and the long run: enough to keep every environment of a function busy.
const BUSY = 16;
const WARM_UP = 1_000;
const PROFILED_SECONDS = 5;
const SAMPLES = 20;
const LONG_RUN = 200_000;
const MEGABYTE = 2 ** 20;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1,8,32,128' },
    requests: { type: 'string', default: '20000' },
  },
});
const milliseconds = Number(values.seconds) * 1000;
const rounds = Number(values.rounds);
const requests = Number(values.requests);
const measurements: Measurement[] = [];

const loaded = await startLoadedWorld(PORT, measuredFunctions);
const { pid } = loaded.world.process;
const megabytes = () => residentMemory(pid) / MEGABYTE;
measurements.push({ what: 'Memory of the world after its start', value: megabytes(), unit: 'MB' });
try {
  const operations = await prepareOperations(loaded);
  try {
    for (const connections of values.connections.split(',').map(Number)) {
      for (const operation of operations.list) {
        measurements.push(...(await compare(operation, connections)));
      }
      await operations.signIn();
    }
    for (const operation of operations.list) measurements.push(...(await profile(loaded, operation)));
    measurements.push({ what: 'Memory of the world after this load', value: megabytes(), unit: 'MB' });
    if (requests > 0) measurements.push(...(await runLong(loaded, operations)));
  } finally {
    await operations.stop();
  }
} finally {
  await loaded.stop();
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

async function profile(world: LoadedWorld, operation: Operation): Promise<Measurement[]> {
  const { name } = operation;
  await send(operation, 'product', BUSY, WARM_UP);
  const environments = await world.environmentsOf(operation.function);
  const [main, ...functions] = await profileWhile([world.inspector.main, ...environments], () =>
    send(operation, 'product', BUSY, PROFILED_SECONDS * 1000),
  );
  const inFunctions = sum(functions);
  const inAll = sum([...functions, ...(main ? [main] : [])]);
  const hottest = [...inFunctions.byFunction].toSorted(([, a], [, b]) => b - a).slice(0, 8);
  process.stderr.write(
    [
      `${name}, CPU of ${environments.length} environments:`,
      ...(['product', 'clients', 'local world', 'garbage collector', 'Node'] as const).map(
        (owner) => `  ${owner}: ${shareOf(owner, inFunctions).toFixed(1)} %`,
      ),
      ...hottest.map(
        ([where, samples]) => `    ${((samples * SAMPLE_MICROSECONDS) / 1000).toFixed(1)} ms in ${where}`,
      ),
      '',
    ].join('\n'),
  );
  return [
    {
      what: `${name}: our share of the functions' CPU`,
      value: shareOf('product', inFunctions),
      unit: '%',
      goal: { most: 10 },
    },
    {
      what: `${name}: share of infra/local in the world's CPU`,
      value: shareOf('local world', inAll),
      unit: '%',
    },
  ];
}

async function runLong(
  { world, inspector, environmentsOf }: LoadedWorld,
  operations: Operations,
): Promise<Measurement[]> {
  const [plan] = operations.list;
  if (!plan) throw new Error('There is no operation.');
  await send(plan, 'product', BUSY, WARM_UP);
  const environments = await environmentsOf(plan.function);
  const sample = (count: number) =>
    sampleMemory(inspector.main, environments, { pid: world.process.pid, requests: count });
  const each = Math.ceil(requests / SAMPLES);
  const samples: MemorySample[] = [await sample(0)];
  for (let count = each; count <= each * SAMPLES; count += each) {
    await operations.signIn();
    await sendRequests(BUSY, plan.product, (_, begun) => begun >= each);
    const taken = await sample(count);
    samples.push(taken);
    const inMegabytes = [taken.main, taken.functions, taken.resident].map((bytes) =>
      (bytes / MEGABYTE).toFixed(1),
    );
    process.stderr.write(
      `${taken.requests} requests: main thread ${inMegabytes[0]}, functions ${inMegabytes[1]}, process ${inMegabytes[2]} MB\n`,
    );
  }
  const count = requests.toLocaleString('en-US');
  const goal = requests >= LONG_RUN ? { most: 4 } : undefined;
  const slope = (what: string, of: (sample: MemorySample) => number): Measurement => ({
    what: `${what}, over ${count} requests`,
    value: growth(samples, of),
    unit: 'bytes/request',
    goal,
  });
  return [
    slope("Growth of the main thread's heap", ({ main }) => main),
    slope("Growth of the function's heaps", ({ functions }) => functions),
    { ...slope('Growth of the process', ({ resident }) => resident), goal: undefined },
    { what: `Memory of the process after ${count} requests`, value: megabytes(), unit: 'MB' },
  ];
}
