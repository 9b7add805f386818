import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '../../../schemas/api.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { type Tokens, tokensOf } from '../../fixtures/worlds/access-token.ts';
import { createAccount, type Account } from '../../fixtures/worlds/account.ts';
import { ApiDocument } from '../../fixtures/repository/api-document.ts';
import { type HostedTokens, newUser, signInBy } from '../../fixtures/worlds/hosted-sign-in.ts';
import { endpointsOf, unthrottled } from '../../fixtures/hostile/endpoints.ts';
import { fuzz } from '../../fixtures/hostile/fuzz.ts';
import { worldOfFile } from '../../fixtures/worlds/stack-once.ts';

// Apart from the ports of `npm start` and of the other suites.
const PORT = 4_500;
const world = worldOfFile(PORT, unthrottled);
const document = new ApiDocument();
/** Parts of the answers that the API's OpenAPI document lacks. */
const undescribed: string[] = [];
let ada: Account;
let adasTokens: Tokens;
/** The tokens of a user who signed in to an app. */
let relayTokens: HostedTokens;

beforeAll(async () => {
  ada = await createAccount(world);
  adasTokens = await tokensOf(world, ada);
  relayTokens = await signInBy(world, { provider: 'github', user: newUser(), client: 'relay' });
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function send(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  {
    token,
    body,
    query = '',
    type = 'application/json',
    cookie,
  }: { token?: string; body?: string; query?: string; type?: string; cookie?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${world.origin}/api${path}${query}`, {
    method,
    headers: {
      'content-type': type,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
    },
    ...(body !== undefined && { body }),
  });
  const answer = { status: response.status, body: (await response.json()) as Record<string, unknown> };
  undescribed.push(...document.faultsOf(method, path, answer));
  return answer;
}

const routes: [string, Endpoint][] = Object.entries(api);
const signedIn = routes.filter(([, { caller }]) => caller === 'bearer');
const withBody = routes.filter(([, { body }]) => body);

describe.each(signedIn)('%s', (_, endpoint) => {
  test.each<[string, () => Parameters<typeof send>[1]]>([
    ['no token', () => ({})],
    ['a text that is no token', () => ({ token: 'nonsense' })],
    ['a token with another signature', () => ({ token: `${adasTokens.access.slice(0, -8)}AAAAAAAA` })],
    ['an unsigned token', () => ({ token: unsigned(adasTokens.access) })],
    ['a refresh token', () => ({ token: relayTokens.refresh_token })],
    ['a valid token in the query', () => ({ query: `?access_token=${adasTokens.access}` })],
    ['a valid token in a cookie', () => ({ cookie: `Authorization=Bearer ${adasTokens.access}` })],
  ])('with %s answers 401', async (_, parts) => {
    expect(await send(endpoint, parts())).toMatchObject({ status: 401 });
  });

  test('with an ID token is forbidden', async () => {
    expect((await send(endpoint, { token: adasTokens.id })).status).toBe(403);
  });

  test('takes the token of an app only to read the plan', async () => {
    const status = endpoint.appToken ? 200 : 401;
    expect((await send(endpoint, { token: relayTokens.access_token })).status).toBe(status);
  });
});

test.each([
  '/api//plan',
  '/api/plan/',
  '/api/./plan',
  '/api/x/../plan',
  '/api/%70lan',
  '/api/plan%2f',
  '/api/plan%00',
  '/api/plan;a=b',
  '//api/plan',
  '/API/plan',
  '/api/github-oidc/../plan',
  '/api/github-oidc/..%2fplan',
  '/api/github-oidc/%2e%2e%2fplan',
])('no spelling of the address bypasses the authorizer: %s', async (address) => {
  // Without `fetch`, which normalises the address.
  const request = httpRequest({ port: PORT, host: 'localhost', path: address }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(await text(response)).not.toContain('planExpiresAt');
  expect(response.statusCode).toBeGreaterThanOrEqual(301);
  expect(response.statusCode).toBeLessThan(500);
});

describe.each(withBody)('%s', (_, endpoint) => {
  const token = () => (endpoint.caller === 'bearer' ? adasTokens.access : '');

  test.each([
    ['malformed JSON', '{"privately": ', 400, 'bad-request'],
    ['a list', '["privately"]', 400, 'bad-request'],
    ['null', 'null', 400, 'bad-request'],
    ['a text', '"privately"', 400, 'bad-request'],
    ['an unknown field', '{"privately": true}', 400, 'bad-request'],
    ['control characters', '\u{0}\u{1}privately', 400, 'bad-request'],
    ['a body that is too large', JSON.stringify({ privately: 'x'.repeat(9_000) }), 413, 'too-large'],
  ])('refuses %s with a code, and does not log it', async (_, body, status, code) => {
    const before = world.output.length;
    expect(await send(endpoint, { token: token(), body })).toMatchObject({ status, body: { code } });
    expect(world.output.slice(before).join('\n')).not.toContain('privately');
  });
});

test.each(withBody)('%s refuses a form from another site', async (_, endpoint) => {
  const token = endpoint.caller === 'bearer' ? adasTokens.access : '';
  expect(await send(endpoint, { token, body: '{}', type: 'text/plain' })).toMatchObject({
    status: 415,
    body: { code: 'wrong-content-type' },
  });
});

test.each([
  '',
  '?session_id=',
  '?session_id=../v1/customers',
  '?session_id=cs_1&session_id=cs_2',
  '?id=cs_1',
])('a session status for "%s" is refused', async (query) => {
  expect(await send(api['session-status'], { token: adasTokens.access, query })).toMatchObject({
    status: 400,
    body: { code: 'bad-request' },
  });
});

describe('an access token of an ended session', () => {
  let account: Account;
  let token: string;

  beforeAll(async () => {
    account = await createAccount(world);
    token = (await tokensOf(world, account)).access;
    // A session counts from its second on.
    await world.advance('PT2S');
    await send(api['end-session'], { token, body: JSON.stringify({ session: 'all' }) });
  });

  /** Requests that a route would accept from a running session. */
  const requestTo = (name: string): { body?: string; query?: string } => {
    const bodies: Partial<Record<string, object>> = {
      'create-checkout-session': { planName: 'plus', userId: account.id, userEmail: account.email },
      'cancel-subscription': { subscription_id: null },
      'billing-portal': { page: 'card' },
      'change-email': { newEmail: 'new@example.com' },
      'end-session': { session: 'all' },
      'change-provider': { provider: 'google', connected: false },
      'change-password': { currentPassword: account.password, newPassword: 'correct horse battery' },
    };
    if (name === 'session-status') return { query: '?session_id=cs_test_none' };
    return { ...(bodies[name] && { body: JSON.stringify(bodies[name]) }) };
  };

  test.each(signedIn)('is refused by %s', async (name, endpoint) => {
    expect(await send(endpoint, { token, ...requestTo(name) })).toMatchObject({
      status: 401,
      body: { code: 'not-signed-in' },
    });
  });

  test('has changed neither the password nor the account', async () => {
    await expect(tokensOf(world, account)).resolves.toBeDefined();
  });
});

describe('the webhook', () => {
  const event = JSON.stringify({
    id: 'evt_forged',
    object: 'event',
    type: 'invoice.paid',
    data: { object: {} },
  });
  const signature = (secret: string, at: number) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${event}`).digest('hex')}`;
  const deliver = async (header: string) => {
    const response = await fetch(`${world.origin}/api/stripe/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'Stripe-Signature': header },
      body: event,
    });
    return response.status;
  };

  test('accepts an event that Stripe has signed, and no other', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await deliver(signature('whsec_local', now))).toBe(200);
    expect(await deliver(signature('whsec_other', now))).toBe(400);
  });

  test('refuses a body that is longer than any event', async () => {
    const response = await world.post('/api/stripe/webhook', { long: 'x'.repeat(300_000) });
    expect(response.status).toBe(413);
  });
});

test('a response with personal data is stored by nobody but the app that asked for the plan', async () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${world.origin}${path}`, {
      headers: { authorization: `Bearer ${adasTokens.access}`, ...headers },
    });
  expect((await ask('/api/billing')).headers.get('cache-control')).toBe('no-store');
  const { headers } = await ask('/api/plan');
  expect(headers.get('cache-control')).toBe('private, max-age=900');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const again = await ask('/api/plan', { 'if-none-match': String(headers.get('etag')) });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([
    304,
    '',
    headers.get('etag'),
  ]);
});

test('a path without a route is not found', async () => {
  expect((await send({ method: 'GET', path: '/waitlist' })).status).toBe(404);
  expect((await send({ method: 'GET', path: '/__local/mail' })).status).toBe(404);
});

test('every answer of these tests is as the OpenAPI document describes it', () => {
  expect(document.compared).toBeGreaterThan(100);
  expect(undescribed).toEqual([]);
});

test('no function has answered 500 or logged a token, an address or a password during these tests', () => {
  const log = world.output.join('\n');
  expect(log).not.toMatch(/\b(code=internal|request-failed)\b|"internal"/);
  // The log does contain the refusals.
  expect(log).toContain('bad-signature');
  expect(log).not.toMatch(/eyJ[\w-]{8,}|[\w.+-]+@[\w-]+\.\w+/);
  for (const secret of [ada.password, relayTokens.refresh_token]) expect(log).not.toContain(secret);
});

const page = `${world.origin}/config.json`;
type Hostile = [address: string, init?: RequestInit];

const jsonOf = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});
const formOf = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
});
const hostile: [string, (name: string) => Hostile][] = [
  ['a query', (name) => [`${page}?${name}=1&${name}=2`]],
  ['a cookie', (name) => [page, { headers: { cookie: `${name}=1; ${name}=2` } }]],
  ['a header', (name) => [page, { headers: { [name]: '1' } }]],
  ['a path', (name) => [`${world.origin}/${name}`]],
  ['a path of the API', (name) => [`${world.origin}/api/${name}`]],
  ['a query of the API', (name) => [`${world.origin}/api/plan?${name}=1&${name}=2`]],
  [
    'a query that a route of the API refuses',
    (name) => [`${world.origin}/api/stripe/webhook?${name}=1`, jsonOf('{}')],
  ],
  [
    'a body of the API',
    (name) => [
      `${world.origin}/api/waitlist`,
      jsonOf(`{"email":"ada@example.com","name":"Ada","${name}":{"a":1}}`),
    ],
  ],
  ['a query of the GitHub issuer', (name) => [`${world.origin}/api/github-oidc/authorize?${name}=1`]],
  ['a form of the GitHub issuer', (name) => [`${world.origin}/api/github-oidc/token`, formOf(`${name}=1`)]],
];

const statusOf = async ([address, init]: Hostile): Promise<number> => {
  const response = await fetch(address, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response.status;
};

test.each(hostile)('a name that every object inherits is a name like any other in %s', async (_, of) => {
  const expected = await statusOf(of('ordinary'));
  expect(expected).toBeLessThan(500);
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    expect([name, await statusOf(of(name))]).toEqual([name, expected]);
  }
});

describe('hostile requests on connections of their own', () => {
  const { SELFSAME_HOSTILE_REQUESTS = 120, SELFSAME_HOSTILE_SEED = 20_260_101 } = process.env;

  test.each([
    ['site', Number(SELFSAME_HOSTILE_REQUESTS) / 2],
    ['api', Number(SELFSAME_HOSTILE_REQUESTS)],
  ] as const)(
    'to the door %s, %i of them, are answered below 500 and change no good answer',
    { timeout: Math.max(90, Number(SELFSAME_HOSTILE_REQUESTS)) * 1_000 },
    async (name, count) => {
      const endpoints = await endpointsOf(world, PORT);
      const counts = await fuzz(endpoints[name], { requests: count, seed: Number(SELFSAME_HOSTILE_SEED) });
      // Most of them got further than to Node's parser.
      expect(counts.get(400) ?? 0).toBeLessThan(count * 0.8);
      expect(counts.size).toBeGreaterThan(3);
      // The world still serves accounts.
      expect(await world.rowOf((await createAccount(world)).id)).toMatchObject({ plan: 'free' });
    },
  );
});

/** The token's claims with the algorithm `none`. */
function unsigned(token: string): string {
  const [, claims] = token.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
}
