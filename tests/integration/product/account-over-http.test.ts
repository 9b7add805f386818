import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../infra/local/base/inbox.ts';
import { AccountExport } from '../../../schemas/account-export.ts';
import { tokensOf } from '../../fixtures/access-token.ts';
import { signInBy } from '../../fixtures/hosted-sign-in.ts';
import { buyPlus, createAccount, type Account } from '../../fixtures/account.ts';
import { ApiDocument } from '../../fixtures/api-document.ts';
import { PRICE } from '../../fixtures/price-of-plus.ts';
import { stackOnce } from '../../fixtures/stack-once.ts';
import { World } from '../../fixtures/world.ts';

const PORT = 4_540;
const world = new World(PORT);
/** The API's OpenAPI document, which has to describe every answer. */
const document = new ApiDocument();
let account: Account;
let token: string;

beforeAll(async () => {
  await stackOnce();
  await world.start();
});
afterAll(() => world.stop());

beforeEach(async () => {
  account = await createAccount(world);
  token = (await tokensOf(world, account)).access;
});

async function request(
  method: 'GET' | 'POST',
  route: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${world.origin}/api/${route}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = { status: response.status, body: (await response.json()) as Record<string, unknown> };
  expect(document.faultsOf(method, `/${route}`, answer)).toEqual([]);
  return answer;
}

const mailTo = async ({ email }: Account): Promise<string[]> =>
  (await world.get<Message[]>('/__local/mail'))
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject);

const order = () =>
  request('POST', 'create-checkout-session', {
    planName: 'plus',
    userId: account.id,
    userEmail: account.email,
  });

test('a user on Plus exports the data and deletes the account, which ends the subscription', async () => {
  await buyPlus(world, account, { accessToken: token });
  const exported = AccountExport.parse((await request('GET', 'export')).body);
  expect(exported).toMatchObject({
    account: { id: account.id, email: account.email, name: account.name, providers: [], has_password: true },
    plan: { plan: 'plus' },
    subscriptions: [{ status: 'active' }],
    invoices: [{ amount: PRICE, status: 'paid' }],
    waitlist: null,
  });

  // Their answers are compared with the OpenAPI document, like all others.
  expect((await request('GET', 'billing')).body['invoices']).toHaveLength(1);
  expect((await request('POST', 'update-card', {})).status).toBe(200);

  expect(await request('POST', 'delete-account', {})).toEqual({
    status: 200,
    body: { subscriptionEnded: true, mailSent: true },
  });
  expect((await mailTo(account))[0]).toBe('Your Selfsame account was deleted');
  const { data } = await world.stripe.subscriptions.list({
    customer: String(exported.plan?.billing_customer_id),
    status: 'all',
  });
  expect(data.map(({ status }) => status)).toEqual(['canceled']);

  // The token is still valid, and no row is created for it.
  expect((await request('GET', 'plan')).status).toBe(401);
  expect((await order()).status).toBe(401);
  expect((await request('POST', 'delete-account', {})).status).toBe(401);
  // Later webhooks and sweeps create no row either.
  await world.advance('P2D');
  expect(await world.rowOf(account.id)).toBeUndefined();
  await expect(tokensOf(world, account)).rejects.toThrow('Incorrect username or password');
});

test('deleting the account is refused eleven minutes after the sign-in', async () => {
  await world.advance('PT11M');
  expect(await request('POST', 'delete-account', {})).toMatchObject({
    status: 403,
    body: { code: 'sign-in-again' },
  });
  expect(await world.rowOf(account.id)).toBeDefined();
});

test('a changed password signs in, and the user gets a mail', async () => {
  const newPassword = 'battery staple';
  expect(
    (await request('POST', 'change-password', { currentPassword: 'not this one', newPassword })).body['code'],
  ).toBe('wrong-password');
  expect(
    (await request('POST', 'change-password', { currentPassword: account.password, newPassword })).status,
  ).toBe(200);
  expect((await mailTo(account))[0]).toBe('Your Selfsame password was changed');
  await expect(tokensOf(world, { ...account, password: newPassword })).resolves.toBeDefined();
});

test('a changed password ends every other session with its refresh and access token', async () => {
  const thiefsTokens = await tokensOf(world, account);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  const refreshed = (RefreshToken: string) =>
    world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken });
  await expect(refreshed(thiefsTokens.refresh)).resolves.toBeDefined();

  const newPassword = 'battery staple';
  expect(
    await request('POST', 'change-password', { currentPassword: account.password, newPassword }),
  ).toEqual({
    status: 200,
    body: { success: true, sessionsEnded: true },
  });
  await expect(refreshed(thiefsTokens.refresh)).rejects.toThrow('Refresh Token has been revoked');
  await expect(world.cognito('GetUser', { AccessToken: thiefsTokens.access })).rejects.toThrow('revoked');
  // The token that changed the password is revoked, too.
  expect((await request('GET', 'billing')).status).toBe(401);
  token = thiefsTokens.access;
  expect((await request('GET', 'billing')).status).toBe(401);

  const owner = await tokensOf(world, { ...account, password: newPassword });
  token = owner.access;
  expect((await request('GET', 'billing')).status).toBe(200);
  await expect(refreshed(owner.refresh)).resolves.toBeDefined();
});

test('a user who is deleted directly in Cognito is not billed again', async () => {
  const payer = account;
  const payOnce = async () => {
    await buyPlus(world, account, { accessToken: token });
    const customer = String((await world.rowOf(account.id))?.billing_customer_id);
    return { id: account.id, customer };
  };
  const deleted = await payOnce();
  await world.cognito('DeleteUser', { AccessToken: token });
  account = await createAccount(world);
  token = (await tokensOf(world, account)).access;
  const kept = await payOnce();
  expect(payer.id).toBe(deleted.id);

  await world.advance('P40D');
  const billed = async (customer: string) => {
    const [invoices, subscriptions] = await Promise.all([
      world.stripe.invoices.list({ customer }),
      world.stripe.subscriptions.list({ customer, status: 'all' }),
    ]);
    return [invoices.data.length, ...subscriptions.data.map(({ status }) => status)];
  };
  expect(await billed(deleted.customer)).toEqual([1, 'canceled']);
  expect(await world.rowOf(deleted.id)).toBeUndefined();
  expect(await billed(kept.customer)).toEqual([2, 'active']);
  expect(await world.rowOf(kept.id)).toMatchObject({ plan: 'plus' });
});

async function resetPassword(Password: string): Promise<void> {
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await world.cognito('ForgotPassword', { ClientId, Username: account.email });
  const { links } = await world.mailTo(account.email);
  const [link] = links.filter((address) => address.includes('/reset-password'));
  await world.cognito('ConfirmForgotPassword', {
    ClientId,
    Username: account.email,
    ConfirmationCode: new URL(String(link)).searchParams.get('access_token'),
    Password,
  });
}

test('a password reset sends a mail to the user', async () => {
  await resetPassword('battery staple');
  expect((await mailTo(account))[0]).toBe('Your Selfsame password was changed');
});

test('a password reset ends other sessions, and the new sign-in works', async () => {
  const { refresh } = await tokensOf(world, account);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  const refreshed = (RefreshToken: string) =>
    world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken });
  await resetPassword('battery staple');
  // At once, as the site does.
  const owner = await tokensOf(world, { ...account, password: 'battery staple' });
  await expect(refreshed(refresh)).rejects.toThrow('Refresh Token has been revoked');
  expect((await request('GET', 'billing')).status).toBe(401);
  await expect(refreshed(owner.refresh)).resolves.toBeDefined();
});

test('linking a provider sends one mail', async () => {
  const signIn = { provider: 'GitHub', user: { name: 'Eve', email: account.email } } as const;
  await signInBy(world, signIn);
  await signInBy(world, signIn);
  expect((await mailTo(account)).filter((subject) => subject.startsWith('GitHub'))).toEqual([
    'GitHub now opens your Selfsame account',
  ]);
});
