import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { endStaleEngine, type Engine, startEngine } from '../../aws/dynamodb/engine.ts';
import { Tables } from '../../aws/dynamodb/tables.ts';
import { temporaryFolder, template } from '../fixtures/local-stack.ts';

let engine: Engine | undefined;
let tables: Tables | undefined;
let child: ChildProcess | undefined;
afterEach(async () => {
  await tables?.stop();
  await engine?.stop();
  child?.kill('SIGKILL');
  [engine, tables, child] = [undefined, undefined, undefined];
});

const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });
const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
const byDay = {
  IndexName: 'by_day',
  KeySchema: [key('day', 'HASH')],
  Projection: { ProjectionType: 'ALL' },
};
function stackOf({ indexes = [], hash = 'id' }: { indexes?: object[]; hash?: string } = {}) {
  return template({
    DataUserPlans63AE763E: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [key(hash, 'HASH')],
        AttributeDefinitions: [text(hash), ...(indexes.length > 0 ? [text('day')] : [])],
        ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
        TimeToLiveSpecification: { AttributeName: 'ends', Enabled: true },
      },
    },
  });
}
const NAME = 'selfsame-staging-DataUserPlans63AE763E';

async function started(dataDir: string, stack = stackOf()) {
  engine = await startEngine({ dataDir });
  tables = new Tables(engine);
  await tables.update(stack);
  return clientOf(engine);
}
const clientOf = ({ endpoint }: Engine) =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint,
    }),
  );
const put = (client: DynamoDBDocumentClient) =>
  client.send(new PutCommand({ TableName: NAME, Item: { id: 'ann', day: 'monday' } }));

test('an engine that is killed is started again at the same address, with its data, and a line says so', async () => {
  const said: string[] = [];
  const dataDir = temporaryFolder();
  engine = await startEngine({ dataDir, say: (line) => said.push(line) });
  tables = new Tables(engine);
  await tables.update(stackOf());
  const client = clientOf(engine);
  await put(client);
  const pidNow = () => readFileSync(path.join(dataDir, 'dynamodb.pid'), 'utf8');
  for (let times = 1; times <= 3; times += 1) {
    // The second and the third engine are killed before they answer.
    process.kill(Number(await vi.waitFor(pidNow, { timeout: 10_000, interval: 1 })), 'SIGKILL');
    await vi.waitFor(() => expect(said).toHaveLength(times), { timeout: 10_000, interval: 1 });
  }
  const get = new GetCommand({ TableName: NAME, Key: { id: 'ann' } });
  expect((await vi.waitFor(() => client.send(get), 10_000)).Item).toEqual({ id: 'ann', day: 'monday' });
  for (const line of said) expect(line).toMatch(/started again/);
});

test('a new index of the template is added, with the rows', async () => {
  const client = await started(temporaryFolder());
  await put(client);
  await tables?.update(stackOf({ indexes: [byDay] }));
  const { Items } = await client.send(
    new QueryCommand({
      TableName: NAME,
      IndexName: 'by_day',
      KeyConditionExpression: '#d = :d',
      ExpressionAttributeNames: { '#d': 'day' },
      ExpressionAttributeValues: { ':d': 'monday' },
    }),
  );
  expect(Items).toEqual([{ id: 'ann', day: 'monday' }]);
});

test('a changed key is refused with a sentence that says what helps', async () => {
  await started(temporaryFolder());
  await expect(tables?.update(stackOf({ hash: 'email' }))).rejects.toThrow(/start with --fresh/);
});

const running = (pid: number) =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';

test.runIf(process.platform === 'linux')(
  'an engine ends with a world that was killed, and the next start opens its folder',
  async () => {
    const dataDir = temporaryFolder();
    const script = fileURLToPath(new URL('../../aws/dynamodb/engine.ts', import.meta.url));
    // In its own process that can be killed.
    child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `const { startEngine } = await import(${JSON.stringify(script)}); await startEngine(${JSON.stringify({ dataDir })}); console.log('up'); setInterval(() => {}, 1000);`,
    ]);
    if (child.stdout) await once(child.stdout, 'data');
    const pid = Number(readFileSync(path.join(dataDir, 'dynamodb.pid'), 'utf8'));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await vi.waitFor(() => expect(running(pid)).toBe(false), 10_000);

    await put(await started(dataDir));
    expect(await tables?.rows('UserPlans')).toHaveLength(1);
  },
);

test.runIf(process.platform === 'linux')('an engine that is left over is ended', async () => {
  const dataDir = temporaryFolder();
  const leftOver = await startEngine({ dataDir });
  const pid = Number(readFileSync(path.join(dataDir, 'dynamodb.pid'), 'utf8'));
  expect(running(pid)).toBe(true);
  await endStaleEngine(dataDir);
  expect(running(pid)).toBe(false);
  await leftOver.stop();
});

test('another program with the process id of a former engine is not ended', async () => {
  const dataDir = temporaryFolder();
  child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  writeFileSync(path.join(dataDir, 'dynamodb.pid'), String(child.pid));
  await endStaleEngine(dataDir);
  expect(child.exitCode).toBeNull();
  expect(running(child.pid ?? 0)).toBe(true);
  expect(existsSync(path.join(dataDir, 'dynamodb.pid'))).toBe(false);
});

test('without the engine and without Java the refusal is one sentence', async () => {
  vi.stubEnv('PATH', '/nowhere');
  await expect(startEngine({ dataDir: temporaryFolder(), kind: 'java' })).rejects.toThrow(
    /needs Java 17 or later on this machine and found none/,
  );
  vi.unstubAllEnvs();
});
