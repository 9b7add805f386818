import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../infra/local/base/inbox.ts';
import { AccountExport } from '../../../schemas/account.ts';
import { tokensOf } from '../../fixtures/access-token.ts';
import { signInBy } from '../../fixtures/hosted-sign-in.ts';
import { buyPlus, makeAccount, type Person } from '../../fixtures/person.ts';
import { PRICE } from '../../fixtures/price-of-plus.ts';
import { stackOnce } from '../../fixtures/stack-once.ts';
import { World } from '../../fixtures/world.ts';

const PORT = 4_540;
const world = new World(PORT);
let person: Person;
let token: string;

beforeAll(async () => {
  await stackOnce();
  await world.start();
});
afterAll(() => world.stop());

beforeEach(async () => {
  person = await makeAccount(world);
  token = (await tokensOf(world, person)).access;
});

async function ask(
  method: 'GET' | 'POST',
  route: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${world.origin}/api/${route}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const mailTo = async ({ email }: Person): Promise<string[]> =>
  (await world.get<Message[]>('/__local/mail'))
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject);

const order = () =>
  ask('POST', 'create-checkout-session', { planName: 'plus', userId: person.id, userEmail: person.email });

test('a payer takes everything along, deletes the account, and leaves nothing behind but receipts', async () => {
  await buyPlus(world, person, { accessToken: token });
  const taken = AccountExport.parse((await ask('GET', 'export')).body);
  expect(taken).toMatchObject({
    account: { id: person.id, email: person.email, name: person.name, providers: [], has_password: true },
    plan: { plan: 'plus' },
    subscriptions: [{ status: 'active' }],
    invoices: [{ amount: PRICE, status: 'paid' }],
    waitlist: null,
  });

  expect(await ask('POST', 'delete-account', {})).toEqual({
    status: 200,
    body: { subscriptionEnded: true, mailSent: true },
  });
  expect((await mailTo(person))[0]).toBe('Your Selfsame account was deleted');
  const { data } = await world.stripe.subscriptions.list({
    customer: String(taken.plan?.billing_customer_id),
    status: 'all',
  });
  expect(data.map(({ status }) => status)).toEqual(['canceled']);

  // The token is still good by its signature and date. Nobody opens a row for it.
  expect((await ask('GET', 'plan')).status).toBe(401);
  expect((await order()).status).toBe(401);
  expect((await ask('POST', 'delete-account', {})).status).toBe(401);
  // Nor does anything that Stripe has still to tell, or a sweep.
  await world.advance('P2D');
  expect(await world.rowOf(person.id)).toBeUndefined();
  await expect(tokensOf(world, person)).rejects.toThrow('Incorrect username or password');
});

test('a sign-in of eleven minutes ago is no longer fresh enough to delete an account', async () => {
  await world.advance('PT11M');
  expect(await ask('POST', 'delete-account', {})).toMatchObject({
    status: 403,
    body: { code: 'sign-in-again' },
  });
  expect(await world.rowOf(person.id)).toBeDefined();
});

test('a changed password is the one to sign in with, and its owner is told', async () => {
  const newPassword = 'battery staple';
  expect(
    (await ask('POST', 'change-password', { currentPassword: 'not this one', newPassword })).body['code'],
  ).toBe('wrong-password');
  expect(
    (await ask('POST', 'change-password', { currentPassword: person.password, newPassword })).status,
  ).toBe(200);
  expect((await mailTo(person))[0]).toBe('Your Selfsame password was changed');
  await expect(tokensOf(world, { ...person, password: newPassword })).resolves.toBeDefined();
});

test('a changed password ends a thief’s session, refresh token and access token alike', async () => {
  const thiefs = await tokensOf(world, person);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  const refreshed = (RefreshToken: string) =>
    world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken });
  await expect(refreshed(thiefs.refresh)).resolves.toBeDefined();

  const newPassword = 'battery staple';
  expect(await ask('POST', 'change-password', { currentPassword: person.password, newPassword })).toEqual({
    status: 200,
    body: { success: true, sessionsEnded: true },
  });
  await expect(refreshed(thiefs.refresh)).rejects.toThrow('Refresh Token has been revoked');
  await expect(world.cognito('GetUser', { AccessToken: thiefs.access })).rejects.toThrow('revoked');
  // The token that changed it, too.
  expect((await ask('GET', 'billing')).status).toBe(401);
  token = thiefs.access;
  expect((await ask('GET', 'billing')).status).toBe(401);

  const owner = await tokensOf(world, { ...person, password: newPassword });
  token = owner.access;
  expect((await ask('GET', 'billing')).status).toBe(200);
  await expect(refreshed(owner.refresh)).resolves.toBeDefined();
});

test('who is deleted at Cognito itself, round our route, is billed no second time', async () => {
  const payer = person;
  const payOnce = async () => {
    await buyPlus(world, person, { accessToken: token });
    const customer = String((await world.rowOf(person.id))?.billing_customer_id);
    return { id: person.id, customer };
  };
  const gone = await payOnce();
  await world.cognito('DeleteUser', { AccessToken: token });
  person = await makeAccount(world);
  token = (await tokensOf(world, person)).access;
  const stays = await payOnce();
  expect(payer.id).toBe(gone.id);

  await world.advance('P40D');
  const billed = async (customer: string) => {
    const [invoices, subscriptions] = await Promise.all([
      world.stripe.invoices.list({ customer }),
      world.stripe.subscriptions.list({ customer, status: 'all' }),
    ]);
    return [invoices.data.length, ...subscriptions.data.map(({ status }) => status)];
  };
  expect(await billed(gone.customer)).toEqual([1, 'canceled']);
  expect(await world.rowOf(gone.id)).toBeUndefined();
  expect(await billed(stays.customer)).toEqual([2, 'active']);
  expect(await world.rowOf(stays.id)).toMatchObject({ plan: 'plus' });
});

async function resetPassword(Password: string): Promise<void> {
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  await world.cognito('ForgotPassword', { ClientId, Username: person.email });
  const { links } = await world.mailTo(person.email);
  const [link] = links.filter((address) => address.includes('/reset-password'));
  await world.cognito('ConfirmForgotPassword', {
    ClientId,
    Username: person.email,
    ConfirmationCode: new URL(String(link)).searchParams.get('access_token'),
    Password,
  });
}

test('a password that was reset by mail is told to its owner too', async () => {
  await resetPassword('battery staple');
  expect((await mailTo(person))[0]).toBe('Your Selfsame password was changed');
});

test('a reset signs a thief out, and its owner in', async () => {
  const { refresh } = await tokensOf(world, person);
  const { userPoolClientId: ClientId } = await world.get<{ userPoolClientId: string }>('/config.json');
  const refreshed = (RefreshToken: string) =>
    world.cognito('GetTokensFromRefreshToken', { ClientId, RefreshToken });
  await resetPassword('battery staple');
  // As the site does: at once.
  const owner = await tokensOf(world, { ...person, password: 'battery staple' });
  await expect(refreshed(refresh)).rejects.toThrow('Refresh Token has been revoked');
  expect((await ask('GET', 'billing')).status).toBe(401);
  await expect(refreshed(owner.refresh)).resolves.toBeDefined();
});

test('somebody whose account a provider joins is told once', async () => {
  const how = { provider: 'GitHub', user: { name: 'Eve', email: person.email } } as const;
  await signInBy(world, how);
  await signInBy(world, how);
  expect((await mailTo(person)).filter((subject) => subject.startsWith('GitHub'))).toEqual([
    'GitHub can now sign in to your Selfsame account',
  ]);
});
