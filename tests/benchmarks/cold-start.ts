/**
 * Measures cold starts of a bundle of each class of handlers:
 * `npm run bench -- cold-start [--rounds 20] [--against folder] [function …]`. Each start is a new
 * process of this Node: it imports the bundle and calls the handler once, over TLS to services on this
 * machine. All functions, bare clients and an empty handler take turns in each round.
 *
 * A bare client is a handler of a few lines, built with the options of `bundle.ts`. It imports the SDKs of
 * the listed services statically and makes one call to each. Two ratios for each function, of CPU time within
 * a round:
 *
 * - `start`: the import alone, beside the import of a bare DynamoDB client;
 * - `first answer`: import and first call, beside bare clients of the services that the call needs. Modules
 *   imported on demand, and repeated calls, count here.
 *
 * CPU time, because a function of 512 MB has a third of a processor: its cold start is the CPU time it needs,
 * stretched. Wall time is given for comparison; it has the loopback's and the services' time in it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import type * as bundling from '../../infra/constructs/lambda/bundle.ts';
import { functions, type MeasuredFunction, type Service } from './cold-start-functions.ts';
import type { ColdStart } from './cold-start-process.ts';
import { startServices } from './cold-start-services.ts';
import { median, table } from './table.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    against: { type: 'string' },
  },
  allowPositionals: true,
});
const measured = Object.entries(functions).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);

/** A process to start: a bundle of one checkout, and its event. */
interface Subject {
  file: string;
  event: (round: string) => unknown;
  status?: number | undefined;
  samples: ColdStart[];
}

/** The subjects of one checkout, by name. Bare clients are named by their services: `dynamodb, stripe`. */
type Subjects = Map<string, Subject>;

const EMPTY = 'empty';
/** The most that a first answer may cost, as a ratio to that of the bare clients. */
const MOST = 1.15;

const clients: Record<Service, { imports: string; call: string }> = {
  dynamodb: {
    imports: `import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
const dynamodb = new DynamoDBClient();`,
    call: `await dynamodb.send(new GetItemCommand({
    TableName: process.env.USER_PLANS_TABLE, Key: { id: { S: 'ada' } }, ConsistentRead: true,
  }));`,
  },
  secretsmanager: {
    imports: `import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
const secretsManager = new SecretsManagerClient();`,
    call: `await secretsManager.send(new GetSecretValueCommand({ SecretId: 'stripe' }));`,
  },
  stripe: {
    imports: `import Stripe from 'stripe';
const { hostname: host, port } = new URL(process.env.STRIPE_API);
const stripe = new Stripe('sk_test_local', { host, port, telemetry: false });`,
    call: `await stripe.checkout.sessions.retrieve('cs_test_unknown').catch(() => {});`,
  },
};

const bareClient = (services: readonly Service[]): string =>
  `${services.map((service) => clients[service].imports).join('\n')}
export const handler = async () => {
  ${services.map((service) => clients[service].call).join('\n  ')}
};`;

type Bundling = Pick<typeof bundling, 'bundle' | 'uploadOptions'>;

const bareName = ({ beside }: MeasuredFunction): string => beside.join(', ') || EMPTY;

/** Bundles the functions and the bare clients of a checkout, as its stack does. */
async function bundled(checkout: string, into: string): Promise<Subjects> {
  const constructs = pathToFileURL(path.join(checkout, 'infra/constructs/lambda/')).href;
  const { bundle, uploadOptions } = (await import(`${constructs}bundle.ts`)) as Bundling;
  const sources = path.join(into, 'bare');
  mkdirSync(sources, { recursive: true });
  symlinkSync(path.join(checkout, 'node_modules'), path.join(into, 'node_modules'));
  const subjects: Subjects = new Map();
  const add = (
    name: string,
    entry: string,
    { event, status }: Pick<MeasuredFunction, 'event' | 'status'>,
    build: typeof bundle = bundle,
  ) => {
    const folder = path.join(into, 'bundles', name.replaceAll(/\W+/g, '-'));
    build(entry, folder);
    subjects.set(name, { file: path.join(folder, 'index.mjs'), event, status, samples: [] });
  };
  const bare = (name: string, source: string) => {
    const entry = path.join(sources, `${name.replaceAll(/\W+/g, '-')}.ts`);
    writeFileSync(entry, source);
    // `bundle` refuses the static imports of a bare client.
    add(name, entry, { event: () => ({}) }, (file, folder) => {
      buildSync({ ...uploadOptions, entryPoints: { index: file }, outdir: folder });
      return folder;
    });
  };
  bare(EMPTY, 'export const handler = async () => ({});');
  bare('dynamodb', bareClient(['dynamodb']));
  for (const [name, subject] of measured) {
    if (!subjects.has(bareName(subject))) bare(bareName(subject), bareClient(subject.beside));
    add(name, path.join(checkout, 'functions', `${subject.entry}.ts`), subject);
  }
  return subjects;
}

async function coldStart(subject: Subject, environment: Record<string, string>, id: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      // As on Lambda.
      '--expose-gc',
      path.join(import.meta.dirname, 'cold-start-process.ts'),
      subject.file,
      JSON.stringify(subject.event(id)),
    ],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${subject.file} failed:\n${errors}`);
  const sample = JSON.parse(output) as ColdStart;
  if (sample.status !== subject.status) {
    throw new Error(`${subject.file} answered ${sample.status} instead of ${subject.status}.\n${errors}`);
  }
  subject.samples.push(sample);
}

type Figure = (sample: ColdStart) => number;
const startCpu: Figure = ({ start }) => start.cpu;
const answeredCpu: Figure = ({ answered }) => answered.cpu;
const answeredWall: Figure = ({ answered }) => answered.wall;

const samplesOf = (subjects: Subjects, name: string): ColdStart[] => subjects.get(name)?.samples ?? [];

const medianOf = (subjects: Subjects, name: string, figure: Figure): number =>
  median(samplesOf(subjects, name).map(figure));

/** The median of the ratios of each round. */
const ratioOf = (subjects: Subjects, name: string, beside: string, figure: Figure): number => {
  const others = samplesOf(subjects, beside);
  return median(
    samplesOf(subjects, name).flatMap((sample, round) => {
      const other = others[round];
      return other ? [figure(sample) / figure(other)] : [];
    }),
  );
};

/** A row for each figure: what it is, before and now. */
function rows(now: Subjects, before: Subjects | undefined): string[][] {
  const row = (what: string, unit: string, value: (subjects: Subjects) => number): string[] => [
    what,
    ...(before ? [value(before).toPrecision(3)] : []),
    value(now).toPrecision(3),
    unit,
  ];
  return [
    ['measured', ...(before ? ['before'] : []), 'now', 'unit'],
    row('An empty handler: first answer, CPU', 'ms', (of) => medianOf(of, EMPTY, answeredCpu)),
    row('A bare DynamoDB client: start, CPU', 'ms', (of) => medianOf(of, 'dynamodb', startCpu)),
    row('A bare DynamoDB client: first answer, CPU', 'ms', (of) => medianOf(of, 'dynamodb', answeredCpu)),
    ...measured.flatMap(([name, subject]) => {
      const bare = bareName(subject);
      const most = subject.waitedFor ? `ratio, at most ${MOST}` : 'ratio';
      return [
        row(`${name}: start, CPU`, 'ms', (of) => medianOf(of, name, startCpu)),
        row(`${name}: start`, 'ratio', (of) => ratioOf(of, name, 'dynamodb', startCpu)),
        row(`${name}: first answer, CPU`, 'ms', (of) => medianOf(of, name, answeredCpu)),
        row(`${name}: first answer, beside ${bare}`, most, (of) => ratioOf(of, name, bare, answeredCpu)),
        row(`${name}: first answer, wall time`, 'ratio', (of) => ratioOf(of, name, bare, answeredWall)),
      ];
    }),
  ];
}

Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-cold-start-bundles-'));
const services = await startServices();
try {
  process.stderr.write('Bundling …\n');
  const before =
    values.against === undefined
      ? undefined
      : await bundled(path.resolve(values.against), path.join(folder, 'before'));
  // Copies the bundles from before, if they are the same.
  const now = await bundled(root, path.join(folder, 'now'));
  const rounds = Number(values.rounds);
  // The first round warms the file cache and is dropped.
  for (let round = 0; round <= rounds; round += 1) {
    process.stderr.write(`\rRound ${round} of ${rounds}`);
    for (const name of now.keys()) {
      for (const [checkout, subjects] of [now, before].entries()) {
        const subject = subjects?.get(name);
        if (subject) await coldStart(subject, services.environment, `round-${checkout}-${round}`);
      }
    }
    if (round === 0) {
      for (const subject of [...now.values(), ...(before?.values() ?? [])]) subject.samples.length = 0;
    }
  }
  process.stderr.write('\n');
  console.log(table(rows(now, before)));
} finally {
  await services.stop();
  rmSync(folder, { recursive: true });
}
