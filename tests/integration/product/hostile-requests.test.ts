import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../fixtures/worlds/account.ts';
import { endpointsOf, unthrottled } from '../../fixtures/hostile/endpoints.ts';
import { fuzz } from '../../fixtures/hostile/fuzz.ts';
import { stackOnce } from '../../fixtures/worlds/stack-once.ts';
import { World } from '../../fixtures/worlds/world.ts';

const PORT = 4_680;
const world = new World(PORT);
const page = `${world.origin}/config.json`;

beforeAll(async () => {
  await stackOnce();
  const { dist, synthesized } = JSON.parse(String(process.env['SELFSAME_BUILT'])) as {
    dist: string;
    synthesized: { template: string; assets: string };
  };
  const template = path.join(mkdtempSync(path.join(tmpdir(), 'selfsame-hostile-')), 'template.json');
  writeFileSync(template, unthrottled(synthesized.template));
  process.env['SELFSAME_BUILT'] = JSON.stringify({ dist, synthesized: { ...synthesized, template } });
  await world.start();
}, 120_000);
afterAll(() => world.stop());

type Request = [address: string, init?: RequestInit];

const json = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: text,
});
const form = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: text,
});
const requests: [string, (name: string) => Request][] = [
  ['a query', (name) => [`${page}?${name}=1&${name}=2`]],
  ['a cookie', (name) => [page, { headers: { cookie: `${name}=1; ${name}=2` } }]],
  ['a header', (name) => [page, { headers: { [name]: '1' } }]],
  ['a path', (name) => [`${world.origin}/${name}`]],
  ['a path of the API', (name) => [`${world.origin}/api/${name}`]],
  ['a query of the API', (name) => [`${world.origin}/api/plan?${name}=1&${name}=2`]],
  [
    'a query that a route of the API refuses',
    (name) => [`${world.origin}/api/stripe/webhook?${name}=1`, json('{}')],
  ],
  [
    'a body of the API',
    (name) => [
      `${world.origin}/api/waitlist`,
      json(`{"email":"ada@example.com","name":"Ada","${name}":{"a":1}}`),
    ],
  ],
  ['a query of the GitHub issuer', (name) => [`${world.origin}/api/github-oidc/authorize?${name}=1`]],
  ['a form of the GitHub issuer', (name) => [`${world.origin}/api/github-oidc/token`, form(`${name}=1`)]],
];

const statusOf = async ([address, init]: Request): Promise<number> => {
  const response = await fetch(address, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response.status;
};

test.each(requests)('a name that every object inherits is a name like any other in %s', async (_, of) => {
  const expected = await statusOf(of('ordinary'));
  expect(expected).toBeLessThan(500);
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    expect([name, await statusOf(of(name))]).toEqual([name, expected]);
  }
  expect([await statusOf([page]), await statusOf([`${world.origin}/api/plan`])]).toEqual([200, 401]);
});

// `npm run test:fuzz` sends many more, with seeds of its own.
describe('hostile requests on connections of their own', () => {
  test.each([
    ['site', 60],
    ['api', 120],
  ] as const)(
    'to the door %s, %i of them, are answered below 500 and change no good answer',
    async (name, count) => {
      const endpoints = await endpointsOf(world, PORT);
      const counts = await fuzz(endpoints[name], { requests: count, seed: 20_260_101 });
      // Most of them got further than to Node's parser.
      expect(counts.get(400) ?? 0).toBeLessThan(count * 0.8);
      expect(counts.size).toBeGreaterThan(3);
    },
  );
});

test('the world still serves accounts after these requests', async () => {
  const ada = await createAccount(world);
  expect(await world.rowOf(ada.id)).toMatchObject({ plan: 'free' });
});
