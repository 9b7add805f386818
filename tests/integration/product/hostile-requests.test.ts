import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { createAccount } from '../../fixtures/worlds/account.ts';
import { endpointsOf, unthrottled } from '../../fixtures/hostile/endpoints.ts';
import { fuzz } from '../../fixtures/hostile/fuzz.ts';
import { stackOnce } from '../../fixtures/worlds/stack-once.ts';
import { World } from '../../fixtures/worlds/world.ts';

const PORT = 4_680;
const world = new World(PORT);
const page = `${world.origin}/config.json`;
const cognito = `http://localhost:${PORT + 1}`;
const stripe = `http://localhost:${PORT + 2}`;
const providers = `http://localhost:${PORT + 3}`;
let config: SiteConfig;

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
  config = SiteConfig.parse(await world.get('/config.json'));
}, 120_000);
afterAll(() => world.stop());

type Request = [address: string, init?: RequestInit];

const json = (text: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: text,
});
const form = (text: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: text,
});
const operation = (name: string, text: string): Request => [
  cognito,
  json(text, { 'x-amz-target': `AWSCognitoIdentityProviderService.${name}` }),
];
const key = { authorization: 'Bearer sk_test_local' };

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
  ['a query of the console', (name) => [`${world.origin}/__local/mail?${name}=1`]],
  ['a table of the console', (name) => [`${world.origin}/__local/tables/${name}`]],
  ['a schedule of the console', (name) => [`${world.origin}/__local/schedules/${name}`, json('{}')]],
  ['a body of the console', (name) => [`${world.origin}/__local/clock`, json(`{"${name}":1}`)]],
  ['an operation of Cognito', (name) => operation(name, '{}')],
  ['a member of an operation', (name) => operation('InitiateAuth', `{"${name}":{"a":1}}`)],
  [
    'a parameter of an operation',
    (name) =>
      operation(
        'InitiateAuth',
        `{"ClientId":"${config.userPoolClientId}","AuthFlow":"USER_SRP_AUTH","AuthParameters":{"${name}":"1"}}`,
      ),
  ],
  [
    'an attribute of a user',
    (name) =>
      operation(
        'SignUp',
        `{"ClientId":"${config.userPoolClientId}","Username":"eve@example.com","Password":"correct horse","UserAttributes":[{"Name":"${name}","Value":"1"}]}`,
      ),
  ],
  ['a query of the hosted sign-in', (name) => [`${cognito}/oauth2/authorize?${name}=1`]],
  ['a form of the hosted sign-in', (name) => [`${cognito}/oauth2/token`, form(`${name}=1`)]],
  ['a cookie of the hosted sign-in', (name) => [`${cognito}/logout`, { headers: { cookie: `${name}=1` } }]],
  ['a query of Stripe', (name) => [`${stripe}/v1/customers?${name}=1`, { headers: key }]],
  ['a form of Stripe', (name) => [`${stripe}/v1/customers`, form(`${name}=1`, key)]],
  ['a form within a form', (name) => [`${stripe}/v1/customers`, form(`address[${name}][a]=1`, key)]],
  ['a form that begins with it', (name) => [`${stripe}/v1/customers`, form(`${name}[a][b]=1`, key)]],
  ['metadata', (name) => [`${stripe}/v1/customers`, form(`metadata[${name}]=1`, key)]],
  ['what is expanded', (name) => [`${stripe}/v1/customers?expand[]=data.${name}`, { headers: key }]],
  ['an object of Stripe', (name) => [`${stripe}/v1/customers/${name}`, { headers: key }]],
  ['a page of Stripe', (name) => [`${stripe}/page/${name}`]],
  ['a query of Google', (name) => [`${providers}/google/o/oauth2/v2/auth?${name}=1`]],
  ['a form of Google', (name) => [`${providers}/google/token`, form(`${name}=1`)]],
  ['a query of GitHub', (name) => [`${providers}/github/login/oauth/authorize?${name}=1`]],
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

test("Stripe's events show changed metadata whose names every object inherits", async () => {
  const metadata = (change: string) => form(change, key);
  const created = await fetch(
    `${stripe}/v1/customers`,
    metadata('metadata[__proto__]=1&metadata[toString]=1'),
  );
  const { id } = (await created.json()) as { id: string };
  await fetch(`${stripe}/v1/customers/${id}`, metadata('metadata[__proto__]=2&metadata[constructor]=2'));
  const events = await fetch(`${stripe}/v1/events?type=customer.updated`, { headers: key });
  const { data } = JSON.parse(await events.text()) as {
    data: { data: { previous_attributes: { metadata: object } } }[];
  };
  expect(Object.entries(data[0]?.data.previous_attributes.metadata ?? {})).toEqual([
    ['__proto__', '1'],
    ['constructor', null],
  ]);
});

// `npm run test:fuzz` sends many more, with seeds of its own.
describe('hostile requests on connections of their own', () => {
  test.each([
    ['site', 60],
    ['console', 60],
    ['api', 120],
    ['cognito', 100],
    ['stripe', 60],
    ['providers', 60],
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
