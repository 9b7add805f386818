import { afterAll, beforeAll, expect, test } from 'vitest';
import { Clock } from '../../base/clock.ts';
import { type ServedStack, serveStack } from '../fixtures/served-stack.ts';
import { distribution, folderOf, httpApi, lambda, template } from '../fixtures/local-stack.ts';

// Answers with its event, or as the body asks.
const ECHO = `export const handler = async (event) => {
  const order = event.headers['x-order'] && JSON.parse(event.headers['x-order']);
  if (order?.fail) throw new TypeError('on purpose');
  if (order?.wait) await new Promise((done) => setTimeout(done, order.wait));
  if (order) return order.return;
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(event) };
};`;

const clock = new Clock();
let world: ServedStack;

beforeAll(async () => {
  const echo = { function: 'Echo' };
  const stack = template(
    {
      Echo: lambda('echo.zip', { Timeout: 30 }),
      ...httpApi({
        stage: { RouteSettings: { 'GET /rare': { ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 } } },
        routes: {
          'GET /open': echo,
          'POST /open': echo,
          'GET /rare': echo,
          'GET /slow': { ...echo, timeout: 100 },
          'ANY /things/{id}': echo,
          'GET /things/{proxy+}': echo,
          'GET /things/special': echo,
        },
      }),
      ...distribution(),
    },
    {},
    { 'echo.zip': folderOf({ 'index.mjs': ECHO }), 'site.zip': folderOf({ 'index.html': 'home' }) },
  );
  world = await serveStack(stack, clock);
});
afterAll(async () => {
  await world.close();
});

const call = (path: string, init?: RequestInit) => fetch(`${world.origin}/api${path}`, init);
const ordered = (order: object, path = '/open') =>
  call(path, { headers: { 'x-order': JSON.stringify(order) } });
const eventOf = async (path: string, init?: RequestInit): Promise<Record<string, any>> =>
  (await (await call(path, init)).json()) as Record<string, any>;

test.each([
  ['text/plain', false],
  ['application/json; charset=utf-8', false],
  ['application/x-www-form-urlencoded', true],
  ['application/octet-stream', true],
])('a body of type %s is base64: %s', async (type, encoded) => {
  const event = await eventOf('/open', { method: 'POST', body: 'a=b', headers: { 'content-type': type } });
  expect(event).toMatchObject({ body: encoded ? 'YT1i' : 'a=b', isBase64Encoded: encoded });
});

test.each([
  ['/things/7', 'ANY /things/{id}', { id: '7' }],
  ['/things/a%20b', 'ANY /things/{id}', { id: 'a b' }],
  ['/things/a/b', 'GET /things/{proxy+}', { proxy: 'a/b' }],
  ['/things/special', 'GET /things/special', undefined],
])('%s matches %s', async (path, routeKey, pathParameters) => {
  const event = await eventOf(path);
  expect([event['routeKey'], event['pathParameters']]).toEqual([routeKey, pathParameters]);
});

test.each([
  ['GET', '/nothing'],
  ['DELETE', '/open'],
  ['GET', '/open/'],
  ['GET', '/things'],
])('%s %s matches no route', async (method, path) => {
  const response = await call(path, { method });
  expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
});

test('a function that throws, or returns an unreadable answer, is a 500 without detail', async () => {
  for (const order of [{ fail: true }, { return: { statusCode: 'soon' } }]) {
    const response = await ordered(order);
    expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}']);
  }
});

test('an integration that takes too long is a 503', async () => {
  const response = await ordered({ wait: 1_000, return: {} }, '/slow');
  expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
});

test("requests beyond a route's limit are a 429", async () => {
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await call('/rare')).status);
  expect(statuses).toEqual([200, 200, 429]);
});
