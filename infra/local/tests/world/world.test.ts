import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld } from '../../world/world.ts';
import type { RunningWorld } from '../../world/running-world.ts';
import {
  distribution,
  folderOf,
  httpApi,
  lambda,
  synthesized,
  temporaryFolder,
  type TemplateResource,
} from '../fixtures/local-stack.ts';

const PORT = 4240;
const dataDir = temporaryFolder();
const site = folderOf({ 'index.html': '<html><head></head>Home</html>' });
const greets = (name: string) =>
  folderOf({
    'index.mjs': `export const handler = async () => { if ('${name}' === 'broken') throw new Error('on purpose'); return { greeting: '${name}', at: new Date().toISOString() }; };`,
  });

function stackOf(
  name: string,
  more: Record<string, TemplateResource> = {},
  routes: Record<string, { function: string }> = {},
) {
  return synthesized(
    {
      Greet: lambda('greet.zip'),
      ...httpApi({ routes: { 'GET /greet': { function: 'Greet' }, ...routes } }),
      ...distribution(),
      Hourly: {
        Type: 'AWS::Scheduler::Schedule',
        Properties: {
          Name: 'selfsame-staging-hourly',
          ScheduleExpression: 'rate(1 hour)',
          Target: { Arn: { 'Fn::GetAtt': ['Greet', 'Arn'] } },
        },
      },
      ...table('DataUserPlans63AE763E'),
      ...more,
    },
    { 'greet.zip': greets(name), 'site.zip': site },
  );
}
const table = (id: string): Record<string, TemplateResource> => ({
  [id]: {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    },
  },
});

const start = (options: { fresh?: boolean } = {}) =>
  startWorld({
    port: PORT,
    dataDir,
    site: { kind: 'built', dist: site },
    synthesized: stackOf('hello'),
    ...options,
  });

let world: RunningWorld;
beforeAll(async () => (world = await start()));
afterAll(() => world.stop());

const get = (address: string, init?: RequestInit) => fetch(`http://localhost:${PORT}${address}`, init);
const local = (address: string, init?: RequestInit) => get(`/__local${address}`, init);
const post = (address: string, body?: unknown) =>
  local(address, { method: 'POST', ...(body !== undefined && { body: JSON.stringify(body) }) });
const bodyOf = async (response: Promise<Response>): Promise<any> => (await response).json();

test('the site, its API and the console share a port, with Cognito and Stripe on the next ports', async () => {
  expect(await (await get('/')).text()).toContain('<head><script src="/__local/browser.js"></script>');
  expect(await bodyOf(get('/api/greet'))).toMatchObject({ greeting: 'hello' });
  expect((await local('')).headers.get('content-type')).toMatch('text/html');
  expect((await fetch(`http://localhost:${PORT + 1}/nothing`)).status).toBe(404);
  expect(await bodyOf(fetch(`http://localhost:${PORT + 2}/v1/nothing`))).toHaveProperty('error');
});

test('programs read the inbox, the events, the schedules and the tables as JSON', async () => {
  expect(await bodyOf(local('/mail'))).toEqual([]);
  expect(await bodyOf(local('/stripe/events'))).toEqual([]);
  expect(await bodyOf(local('/schedules'))).toMatchObject([{ name: 'hourly' }]);
  expect(await bodyOf(local('/tables/UserPlans'))).toEqual([]);
  expect((await local('/tables/Nothing')).status).toBe(404);
  expect((await local('/nothing')).status).toBe(404);
  expect(await (await local('/browser.js')).text()).toContain('Stripe');
});

test("each section has a page that runs only its own scripts and can't be framed", async () => {
  for (const section of ['', '/inbox', '/payments', '/people', '/rows', '/timetable', '/logs']) {
    const response = await local(section);
    expect([section, response.status]).toEqual([section, 200]);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await response.text()).toContain('<h1>');
  }
});

test('the clock moves the whole world: functions, schedules and what they say the time is', async () => {
  const before = new Date((await bodyOf(local('/clock'))).now as string);
  const { now } = (await bodyOf(post('/clock', { advance: 'P40D' }))) as { now: string };
  const days = (later: string) => Math.round((Date.parse(later) - before.getTime()) / 86_400_000);
  expect(days(now)).toBe(40);
  expect(days((await bodyOf(get('/api/greet'))).at as string)).toBe(40);
  const [hourly] = (await bodyOf(local('/schedules'))) as { last: { at: string }; nextAt: string }[];
  expect(days(hourly?.last.at ?? '')).toBe(40);
  expect(Date.parse(hourly?.nextAt ?? '')).toBeGreaterThan(Date.parse(now));
});

test.each([[{ advance: 'tomorrow' }], [{ advance: 40 }], [{}], [{ advance: '-P1D' }], ['P40D'], [null]])(
  'the clock refuses %j and stays where it is',
  async (body) => {
    const response = await post('/clock', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining('ISO 8601') as string });
  },
);

/** A request as a browser under attack would send it, with headers that `fetch` can't set. */
async function forged(
  headers: Record<string, string>,
  method = 'POST',
  port = PORT,
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = httpRequest({ host: '127.0.0.1', port, path: '/__local/clock', method, headers }, resolve);
  request.on('error', reject).end(method === 'POST' ? '{"advance":"PT1S"}' : undefined);
  const response = await promise;
  await text(response);
  return response.statusCode;
}

test('another site in the same browser can neither read nor move this world', async () => {
  const host = `localhost:${PORT}`;
  // The site's own name, resolved to this machine.
  expect(await forged({ host: 'evil.example' }, 'GET')).toBe(403);
  expect(await forged({ host: `evil.example:${PORT}` })).toBe(403);
  expect(await forged({ host: 'localhost.evil.example' })).toBe(403);
  // A form or a `fetch` of the site's pages.
  expect(await forged({ host, origin: 'https://evil.example' })).toBe(403);
  expect(await forged({ host, origin: 'null' })).toBe(403);
  expect(await forged({ host, origin: 'http://localhost:9999' })).toBe(403);
  // The console's own page, and a program.
  expect(await forged({ host, origin: `http://${host}` })).toBe(200);
  expect(await forged({ host })).toBe(200);
});

test('a page of another site can’t ask the local Cognito about its users', async () => {
  const host = `localhost:${PORT + 1}`;
  const asks = (origin?: string, method = 'POST') =>
    forged({ host, ...(origin !== undefined && { origin }) }, method, PORT + 1);
  for (const origin of ['https://evil.example', 'http://localhost:9999', 'null']) {
    expect(await asks(origin)).toBe(403);
    expect(await asks(origin, 'OPTIONS')).toBe(403);
  }
  expect(await asks(`http://localhost:${PORT}`, 'OPTIONS')).toBe(200);
  expect(await asks()).not.toBe(403);
});

test('a running world takes over a changed stack: code, routes, tables', async () => {
  await world.update(
    stackOf('hello again', table('DataLetters0A1B2C3D'), { 'GET /more': { function: 'Greet' } }),
  );
  expect(await bodyOf(get('/api/greet'))).toMatchObject({ greeting: 'hello again' });
  expect(await bodyOf(get('/api/more'))).toMatchObject({ greeting: 'hello again' });
  expect(await world.rows('Letters')).toEqual([]);

  await world.update(stackOf('third'));
  expect(await bodyOf(get('/api/greet'))).toMatchObject({ greeting: 'third' });
  expect((await get('/api/more')).status).toBe(404);
});

test('a change that fails leaves the stack as it was', async () => {
  await world.update(stackOf('good'));
  await expect(
    world.update(stackOf('bad', { Cache: { Type: 'AWS::ElastiCache::CacheCluster' } })),
  ).rejects.toThrow(/AWS::ElastiCache::CacheCluster \(Cache\)/);
  await expect(
    world.update(
      stackOf('bad', {
        Second: { ...distribution()['Distribution'], Type: 'AWS::CloudFront::Distribution' },
      }),
    ),
  ).rejects.toThrow(/one distribution/);
  expect(await bodyOf(get('/api/greet'))).toMatchObject({ greeting: 'good' });
});

test('a restart keeps all state, and --fresh removes it', async () => {
  const before = Date.parse((await bodyOf(local('/clock'))).now as string);
  const pid = Number(readFileSync(path.join(dataDir, 'dynamodb.pid'), 'utf8'));
  await world.stop();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  world = await start();
  expect(Date.parse((await bodyOf(local('/clock'))).now as string)).toBeGreaterThanOrEqual(before);
  await world.stop();
  world = await start({ fresh: true });
  expect(Math.abs(Date.parse((await bodyOf(local('/clock'))).now as string) - Date.now())).toBeLessThan(
    10_000,
  );
});
