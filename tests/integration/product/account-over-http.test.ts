import { beforeEach, describe, expect, test, vi } from 'vitest';
import { product } from '../../../schemas/product/product.ts';
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
const mailsTo = async (email: string) =>
  (await world.get<Message[]>('/__local/mail')).filter(({ to }) => to === email);
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
  expect((await mailsTo(account.email))[0]?.subject).toBe(`Your ${product.name} account was deleted`);
  const customer = String(exported.plan?.billing_customer_id);
  const { data } = await world.stripe.subscriptions.list({ customer, status: 'all' });
  expect(data.map(({ status }) => status)).toEqual(['canceled']);

  // The token is still valid, and no row is created for it, nor by later webhooks and sweeps.
  const order = { planName: 'plus', userId: account.id, userEmail: account.email };
  for (const [route, body] of [
    ['plan'],
    ['create-checkout-session', order],
    ['delete-account', {}],
  ] as const) {
    expect((await request(route, body)).status).toBe(401);
  }
  await world.advance('PT1H');
  expect(await world.rowOf(account.id)).toBeUndefined();
  await expect(tokensOf(world, account)).rejects.toThrow('Incorrect username or password');
});

test('a changed password signs in, and ends every other session with its refresh and access token', async () => {
  const thiefs = await tokensOf(world, account);
  await expect(refresh(thiefs.refresh)).resolves.toBeDefined();
  // The moment that ends sessions counts to the second.
  await world.advance('PT2S');
  const newPassword = 'battery staple';
  const wrong = await request('change-password', { currentPassword: 'not this one', newPassword });
  expect(wrong.body['code']).toBe('wrong-password');
  expect(await request('change-password', { currentPassword: account.password, newPassword })).toEqual({
    status: 200,
    body: { success: true, sessionsEnded: true },
  });
  expect((await mailsTo(account.email))[0]?.subject).toBe(`Your ${product.name} password was changed`);
  await expect(refresh(thiefs.refresh)).rejects.toThrow('Refresh Token has been revoked');
  await expect(world.cognito('GetUser', { AccessToken: thiefs.access })).rejects.toThrow('revoked');
  // The token that changed the password is revoked, too.
  expect((await request('billing')).status).toBe(401);
  token = thiefs.access;
  expect((await request('billing')).status).toBe(401);

  const owner = await tokensOf(world, { ...account, password: newPassword });
  token = owner.access;
  expect((await request('billing')).status).toBe(200);
  await expect(refresh(owner.refresh)).resolves.toBeDefined();
});

test('a link sets a password once, ends other sessions, and mails the owner', async () => {
  const thiefs = await tokensOf(world, account);
  expect(await request('mail-link', { email: account.email, purpose: 'reset' })).toMatchObject({
    status: 200,
  });
  const reset = { access_token: await tokenTo(account.email), newPassword: 'battery staple' };
  expect(await request('reset-password', reset)).toMatchObject({
    status: 200,
    body: { email: account.email },
  });
  expect((await mailsTo(account.email))[0]?.subject).toBe(`Your ${product.name} password was changed`);
  expect(await request('reset-password', reset)).toMatchObject({ body: { code: 'link-invalid' } });
  const owner = await tokensOf(world, { ...account, password: reset.newPassword });
  await expect(refresh(thiefs.refresh)).rejects.toThrow('Refresh Token has been revoked');
  expect((await request('billing')).status).toBe(401);
  await expect(refresh(owner.refresh)).resolves.toBeDefined();
});

describe('a change of address', () => {
  let newEmail: string;
  let oldToken: string | undefined;
  const decide = async (action: string, mailed: string | undefined) =>
    (await request('address-change', { token: mailed, action })).body;
  let answers: unknown[];
  beforeEach(async () => {
    newEmail = `new.${account.id}@example.com`;
    const asked = await request('change-email', { newEmail });
    oldToken = await tokenTo(account.email);
    answers = [asked.body, await decide('prove', await tokenTo(newEmail))];
  });

  test('is made once both mailboxes agree, and the sessions go on', async () => {
    expect(answers).toMatchObject([{ waiting: { email: newEmail } }, { state: 'waiting', isProved: true }]);
    await expect(tokensOf(world, { ...account, email: newEmail })).rejects.toThrow('Incorrect');
    expect(await decide('approve', oldToken)).toMatchObject({ state: 'changed' });
    await expect(tokensOf(world, account)).rejects.toThrow('Incorrect username or password');
    await expect(tokensOf(world, { ...account, email: newEmail })).resolves.toBeDefined();
    expect(await request('sessions', {})).toMatchObject({ status: 200, body: { waitingAddress: null } });
  });

  test('is made a week later if the old mailbox says nothing', async () => {
    await world.advance('P7D');
    await world.advance('PT1H');
    await expect(tokensOf(world, { ...account, email: newEmail })).resolves.toBeDefined();
  });

  test('is stopped by the old mailbox, which gets a link for a new password', async () => {
    await world.advance('PT2S');
    expect(await decide('stop', oldToken)).toMatchObject({ state: 'stopped' });
    expect((await request('billing')).status).toBe(401);
    const reset = { access_token: await tokenTo(account.email), newPassword: 'battery staple' };
    expect(await request('reset-password', reset)).toMatchObject({ status: 200 });
    await expect(tokensOf(world, { ...account, password: reset.newPassword })).resolves.toBeDefined();
    expect(await decide('approve', oldToken)).toMatchObject({ code: 'link-invalid' });
  });
});

test('linking a provider sends one mail', async () => {
  const signIn = { provider: 'github', user: { name: 'Eve', email: account.email } } as const;
  await signInBy(world, signIn);
  await signInBy(world, signIn);
  const subjects = (await mailsTo(account.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith('GitHub'))).toEqual([
    `GitHub now opens your ${product.name} account`,
  ]);
});

describe('npm run ops -- support', () => {
  const run = async (...args: string[]): Promise<string> => {
    const variables = Object.assign(process.env, { SELFSAME_PORT: String(PORT) });
    const lines: string[] = [];
    await support([...args, '--local'], { say: (line) => lines.push(line), variables });
    return lines.join('\n');
  };
  const really = (...args: string[]) => run(...args, '--yes', '--reason', 'The user has asked.');
  test('finds a user on Plus, and says why', async () => {
    await buyPlus(world, account, { accessToken: token });
    const { stripe_subscription_id: subscription } = (await world.rowOf(account.id)) ?? {};
    const found = await run('find', account.email.toUpperCase());
    expect(found).toMatch(/^The local product at http:\/\/localhost:4540\. Nothing is changed\.\n/);
    expect(found).toContain(`sub ${account.id}`);
    expect(found).toMatch(/signs in with +password\n/);
    expect(found).toMatch(/Stripe customer +cus_\w+ in test mode, for the user /);
    const why = await run('why', account.email);
    expect(why).toContain(`${subscription} gives Plus at Stripe, and renews.`);
    expect(why).toContain(': customer.subscription.created');
  });

  test('gives Plus without payment until the end of a day', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => {});
    const { now } = await world.get<{ now: string }>('/__local/clock');
    const day = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10);
    await run('grant', account.email, day);
    expect((await world.rowOf(account.id))?.plan).toBe('free');
    await really('grant', account.email, day);
    // Deciding again keeps it.
    await really('reconcile', account.id);
    expect(await world.rowOf(account.id)).toMatchObject({
      plan: 'plus',
      plan_expires_at: `${day}T23:59:59.999Z`,
    });
  });

  test('says where the mail to an address stops, and names an account that has proved nothing by its sub', async () => {
    const ClientId = await clientId();
    const email = `eve.${account.id}@example.com`;
    const UserAttributes = [{ Name: 'email', Value: email }];
    await world.cognito('SignUp', { ClientId, Username: email, Password: 'correct horse', UserAttributes });
    await expect(run('why', email)).rejects.toThrow('has not proved that it owns it. Name it by its sub: ');
    await world.post(`/__local/mail/${(await mailsTo(email))[0]?.id}/bounce`, {});
    expect(await run('find', email)).toMatch(/mail +bounced, so SES sends none/);
    expect(await run('find', account.email)).toMatch(/mail +not stopped\n/);
  });

  test('leaves two lines about each change, and names no address in them', async () => {
    await really('grant', account.email, 'no-end');
    const lines = (await world.get<{ id: string }[]>('/__local/tables/SupportAudit')).filter(
      ({ id }) => id === account.id,
    );
    expect(lines).toMatchObject([{ state: 'begun' }, { state: 'done' }]);
    expect(JSON.stringify(lines)).not.toContain('@');
    expect(await run('why', 'of-a-deleted-user')).toContain('who is not in the user pool');
    await expect(run('why', 'nobody@example.com')).rejects.toThrow('No account has the address');
  });
});
