import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../infra/local/base/inbox.ts';
import { support } from '../../../infra/operate/support/support.ts';
import { AccountExport } from '../../../schemas/shapes/account-export.ts';
import { tokensOf } from '../../fixtures/worlds/access-token.ts';
import { signInBy } from '../../fixtures/worlds/hosted-sign-in.ts';
import { buyPlus, createAccount, type Account, tokenIn } from '../../fixtures/worlds/account.ts';
import { ApiDocument } from '../../fixtures/repository/api-document.ts';
import { PRICE } from '../../fixtures/fakes/main-offer.ts';
import { worldOfFile } from '../../fixtures/worlds/stack-once.ts';

const PORT = 4_540;
const world = worldOfFile(PORT);
/** The API's OpenAPI document, which has to describe every answer. */
const document = new ApiDocument();
let account: Account;
let token: string;
beforeEach(async () => {
  account = await createAccount(world);
  token = (await tokensOf(world, account)).access;
});

/** Asks with the access token, and by POST if there is a body. */
async function request(route: string, body?: object) {
  const method = body ? 'POST' : 'GET';
  const response = await fetch(`${world.origin}/api/${route}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = { status: response.status, body: (await response.json()) as Record<string, unknown> };
  expect(document.faultsOf(method, `/${route}`, answer)).toEqual([]);
  return answer;
}
const tokenTo = async (email: string) => tokenIn((await world.mailTo(email)).text);
const clientId = async () => (await world.get<{ userPoolClientId: string }>('/config.json')).userPoolClientId;
const refresh = async (RefreshToken: string) =>
  world.cognito('GetTokensFromRefreshToken', { ClientId: await clientId(), RefreshToken });

test('a user on Plus exports the data and deletes the account, which ends the subscription', async () => {
  await buyPlus(world, account, { accessToken: token });
  const exported = AccountExport.parse((await request('export')).body);
  expect(exported).toMatchObject({
    account: { id: account.id, email: account.email, name: account.name, providers: [], has_password: true },
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

test('a change of address is made a week later if the old mailbox says nothing', async () => {
  const newEmail = `new.${account.id}@example.com`;
  const asked = await request('change-email', { newEmail });
  expect(asked.body).toMatchObject({ waiting: { email: newEmail } });
  const proved = await request('address-change', { token: await tokenTo(newEmail), action: 'prove' });
  expect(proved.body).toMatchObject({ state: 'waiting', isProved: true });
  await world.advance('P7D');
  await world.advance('PT1H');
  await expect(tokensOf(world, { ...account, email: newEmail })).resolves.toBeDefined();
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
    expect(found).toMatch(/^The local product at http:\/\/localhost:4540\. Nothing is changed\.\n/);
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
    await request('address-change', { token: await tokenTo(account.email), action: 'prove' });
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
