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
import { worldOfFile } from '../../fixtures/worlds/stack-once.ts';

// Apart from the ports of `npm start` and of the other suites.
const PORT = 4_500;
const FORM = 'application/x-www-form-urlencoded';
const world = worldOfFile(PORT);
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

test.each(signedIn)(
  '%s needs an access token, and takes that of an app only to read the plan',
  async (_, endpoint) => {
    const statusWith = async (token?: string) => (await send(endpoint, { ...(token && { token }) })).status;
    expect(await statusWith()).toBe(401);
    expect(await statusWith(adasTokens.id)).toBe(403);
    expect(await statusWith(relayTokens.access_token)).toBe(endpoint.appToken ? 200 : 401);
  },
);

test.each<[string, () => Parameters<typeof send>[1]]>([
  ['a text that is no token', () => ({ token: 'nonsense' })],
  ['a token with another signature', () => ({ token: `${adasTokens.access.slice(0, -8)}AAAAAAAA` })],
  ['an unsigned token', () => ({ token: unsigned(adasTokens.access) })],
  ['a refresh token', () => ({ token: relayTokens.refresh_token })],
  ['a valid token in the query', () => ({ query: `?access_token=${adasTokens.access}` })],
  ['a valid token in a cookie', () => ({ cookie: `Authorization=Bearer ${adasTokens.access}` })],
])('%s opens nothing', async (_, parts) => {
  expect(await send(api.plan, parts())).toMatchObject({ status: 401 });
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

test.each(withBody)(
  '%s refuses an unknown field, and a form from another site, and logs neither',
  async (_, endpoint) => {
    const token = endpoint.caller === 'bearer' ? adasTokens.access : '';
    const before = world.output.length;
    const body = '{"privately": true}';
    expect(await send(endpoint, { token, body })).toMatchObject({
      status: 400,
      body: { code: 'bad-request' },
    });
    expect(await send(endpoint, { token, body, type: 'text/plain' })).toMatchObject({
      status: 415,
      body: { code: 'wrong-content-type' },
    });
    expect(world.output.slice(before).join('\n')).not.toContain('privately');
  },
);

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
  expect(document.compared).toBeGreaterThan(80);
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

// The answers to a name that every object inherits, and to any other name. Pages are files.
test.each<[string, (name: string) => [path: string, type?: string, body?: string]]>([
  ['a path', (name) => [name]],
  ['a query', (name) => [`plan?${name}=1&${name}=2`]],
  ['a query that the route refuses', (name) => [`stripe/webhook?${name}=1`, 'application/json', '{}']],
  ['a body', (name) => ['waitlist', 'application/json', `{"email":"a@b.example","name":"A","${name}":{}}`]],
  ['a query of the GitHub issuer', (name) => [`github-oidc/authorize?${name}=1`]],
  ['a form of the GitHub issuer', (name) => ['github-oidc/token', FORM, `${name}=1`]],
])('a name that every object inherits is a name like any other in %s', async (_, of) => {
  const statusOf = async (name: string): Promise<number> => {
    const [path, type = FORM, body] = of(name);
    const posted = body !== undefined && { method: 'POST', headers: { 'content-type': type }, body };
    return (await fetch(`${world.origin}/api/${path}`, { redirect: 'manual', ...posted })).status;
  };
  const expected = await statusOf('ordinary');
  expect(expected).toBeLessThan(500);
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    expect([name, await statusOf(name)]).toEqual([name, expected]);
  }
});

/** The token's claims with the algorithm `none`. */
function unsigned(token: string): string {
  const [, claims] = token.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
}
