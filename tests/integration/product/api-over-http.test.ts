import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { decodeJwt } from 'jose';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../infra/local/base/inbox.ts';
import { support } from '../../../infra/operate/support/support.ts';
import { api, type RouteName } from '../../../schemas/api.ts';
import type { SiteConfig } from '../../../schemas/config/site-config.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { AccountExport } from '../../../schemas/shapes/account-export.ts';
import { PRICE } from '../../fixtures/fakes/main-offer.ts';
import { type Tokens, tokensOf } from '../../fixtures/worlds/access-token.ts';
import { type Account, buyPlus, createAccount, tokenIn } from '../../fixtures/worlds/account.ts';
import { ApiDocument } from '../../fixtures/repository/api-document.ts';
import { type HostedTokens, newUser, signInBy } from '../../fixtures/worlds/hosted-sign-in.ts';
import { worldOfFile } from '../../fixtures/worlds/stack-once.ts';

// Apart from the ports of `npm start` and of the other suites.
const PORT = 4_500;
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
  const event = { id: 'evt_forged', object: 'event', type: 'invoice.paid', data: { object: {} } };
  const body = JSON.stringify(event);
  const signature = (secret: string, at: number) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
  const deliver = async (header: string) =>
    (await world.post('/api/stripe/webhook', event, { 'Stripe-Signature': header })).status;

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

describe('an account', () => {
  let account: Account;
  let token: string;
  beforeEach(async () => {
    account = await createAccount(world);
    token = (await tokensOf(world, account)).access;
  });

  const request = (name: RouteName, body?: object) =>
    send(api[name], { token, ...(body && { body: JSON.stringify(body) }) });
  const refresh = async (RefreshToken: string) => {
    const { userPoolClientId: ClientId } = await world.get<SiteConfig>('/config.json');
    return world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken });
  };

  test('a user on Plus exports the data and deletes the account, which ends the subscription', async () => {
    await buyPlus(world, account, { accessToken: token });
    const exported = AccountExport.parse((await request('export')).body);
    expect(exported).toMatchObject({
      account: {
        id: account.id,
        email: account.email,
        name: account.name,
        providers: [],
        has_password: true,
      },
      plan: { plan: 'plus' },
      subscriptions: [{ status: 'active' }],
      invoices: [{ amount: PRICE, status: 'paid' }],
      waitlist: null,
    });
    // Their answers are compared with the OpenAPI document, like all others.
    expect((await request('billing')).body['invoices']).toHaveLength(1);
    expect((await request('billing-portal', { page: 'card' })).status).toBe(200);
    expect((await request('delete-account', {})).body).toEqual({ subscriptionEnded: true, mailSent: true });
    const customer = String(exported.plan?.billing_customer_id);
    const { data } = await world.stripe.subscriptions.list({ customer, status: 'all' });
    expect(data.map(({ status }) => status)).toEqual(['canceled']);
    // The token is still valid, and no row is created for it.
    expect((await request('plan')).status).toBe(401);
    expect(await world.rowOf(account.id)).toBeUndefined();
  });

  test('a changed password ends every other session, with its refresh and access token', async () => {
    const thiefs = await tokensOf(world, account);
    // The moment that ends sessions counts to the second.
    await world.advance('PT2S');
    const newPassword = 'battery staple';
    expect(await request('change-password', { currentPassword: account.password, newPassword })).toEqual({
      status: 200,
      body: { success: true, sessionsEnded: true },
    });
    await expect(refresh(thiefs.refresh)).rejects.toThrow('Refresh Token has been revoked');
    for (const ended of [token, thiefs.access]) {
      token = ended;
      expect((await request('billing')).status).toBe(401);
    }
    const owner = await tokensOf(world, { ...account, password: newPassword });
    token = owner.access;
    expect((await request('billing')).status).toBe(200);
    await expect(refresh(owner.refresh)).resolves.toBeDefined();
  });

  describe('npm run ops -- support', () => {
    const run = async (...args: string[]): Promise<string> => {
      const variables = Object.assign(process.env, { SELFSAME_PORT: String(PORT) });
      const lines: string[] = [];
      await support([...args, '--local'], { say: (line) => lines.push(line), variables });
      return lines.join('\n');
    };
    const really = (...args: string[]) => run(...args, '--yes', '--reason', 'The user has asked.');

    test('finds a user on Plus, says why, and where the mail to the address stops', async () => {
      await buyPlus(world, account, { accessToken: token });
      const { stripe_subscription_id: subscription } = (await world.rowOf(account.id)) ?? {};
      const found = await run('find', account.email.toUpperCase());
      expect(found).toMatch(/^The local product at http:\/\/localhost:4500\. Nothing is changed\.\n/);
      expect(found).toContain(`sub ${account.id}`);
      expect(found).toMatch(/signs in with +password\n/);
      expect(found).toMatch(/mail +not stopped\n/);
      expect(found).toMatch(/Stripe customer +cus_\w+ in test mode, for the user /);
      const why = () => run('why', account.email);
      const said = await why();
      expect(said).toMatch(new RegExp(`${subscription} \\(active, .*gives Plus, renews on `));
      expect(said).toContain(': customer.subscription.created');

      const [mail] = (await world.get<Message[]>('/__local/mail')).filter(({ to }) => to === account.email);
      await world.post(`/__local/mail/${mail?.id}/bounce`, {});
      expect(await run('find', account.email)).toMatch(/mail +bounced, so SES sends none/);
      await expect.poll(why, { timeout: 20_000 }).toContain(`Mail to ${account.email} bounces since `);
      expect((await request('change-email', { newEmail: account.email })).status).toBe(200);
      const proof = tokenIn((await world.mailTo(account.email)).text);
      await request('address-change', { token: proof, action: 'prove' });
      expect(await why()).not.toContain('bounces');
    });

    test('gives Plus without payment until the end of a day, and leaves two lines about it without an address', async () => {
      vi.spyOn(console, 'info').mockImplementation(() => {});
      const { now } = await world.get<{ now: string }>('/__local/clock');
      const day = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10);
      await run('grant', account.email, day);
      expect((await world.rowOf(account.id))?.plan).toBe('free');
      await really('grant', account.email, day);
      const lines = (await world.get<{ id: string }[]>('/__local/tables/SupportAudit')).filter(
        ({ id }) => id === account.id,
      );
      expect(lines).toMatchObject([{ state: 'begun' }, { state: 'done' }]);
      expect(JSON.stringify(lines)).not.toContain('@');
      // Deciding again keeps it.
      await really('reconcile', account.id);
      expect(await world.rowOf(account.id)).toMatchObject({
        plan: 'plus',
        plan_expires_at: `${day}T23:59:59.999Z`,
      });
    });
  });
});

test('a user of Apple has a relayed address and keeps the name, which comes at the first sign-in alone', async () => {
  const user = { name: 'Grace Hopper', email: `${crypto.randomUUID()}@privaterelay.appleid.com` };
  const first = decodeJwt((await signInBy(world, { provider: 'apple', user })).id_token);
  expect(first).toMatchObject({ email: user.email, name: 'Grace Hopper' });
  expect(first['cognito:username']).toMatch(/^signinwithapple_\d{6}\.[\da-f]{32}\.\d{4}$/);
  // Apple would send the entered name again, if it sent one.
  const again = decodeJwt(
    (await signInBy(world, { provider: 'apple', user: { ...user, name: 'G.' } })).id_token,
  );
  expect(again).toMatchObject({ sub: first.sub, name: 'Grace Hopper' });
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

/** The token's claims with the algorithm `none`. */
function unsigned(token: string): string {
  const [, claims] = token.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`;
}
