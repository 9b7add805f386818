import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { cognitoSessionUser, type SessionUser } from '../../../functions/adapters/cognito/session-user.ts';
import { cognitoAccountPool } from '../../../functions/adapters/cognito/account-pool.ts';
import type { Billing } from '../../../functions/adapters/stripe/billing.ts';
import { deleteAccount } from '../../../functions/api/delete-account.ts';
import { listen } from '../../../infra/local/base/loopback.ts';
import {
  clientId,
  type CognitoStandIn,
  password,
  poolId,
  startCognito,
} from '../../fixtures/worlds/cognito-stand-in.ts';
import { accountParts } from '../../fixtures/fakes/account-parts.ts';
import { call } from '../../fixtures/fakes/http-event.ts';
import {
  openCheckout,
  type StripeStandIn,
  startStripe,
  subscribe,
} from '../../fixtures/worlds/stripe-stand-in.ts';
import { memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

const address = 'ada@example.com';
const cleanUps: (() => unknown)[] = [];
let cognito: CognitoStandIn;
let sessionUser: SessionUser;

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  cognito = await startCognito();
  cleanUps.push(() => cognito.stop());
  process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] = cognito.origin;
  sessionUser = cognitoSessionUser();
});

afterEach(async () => {
  for (const close of cleanUps.splice(0).toReversed()) await close();
});

/** The code of a refusal, read from its field, since the adapter's module may be loaded twice. */
const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );

const signedIn = async (email = address): Promise<string> => {
  await cognito.confirmedUser(email);
  return String((await cognito.signInRaw(email)).body.AuthenticationResult.AccessToken);
};

/** The Stripe adapter on the stand-in. It reads its keys from Secrets Manager as it does in AWS. */
async function stripeAdapter(): Promise<{ stripe: StripeStandIn; billing: Billing }> {
  const stripe = await startStripe();
  const secrets = await listen(0, (_, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(
      JSON.stringify({
        SecretString: JSON.stringify({ secretKey: 'sk_test_local', webhookSecret: 'whsec_local' }),
      }),
    );
  });
  cleanUps.push(
    () => stripe.close(),
    () => secrets.close(),
  );
  process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = `http://127.0.0.1:${secrets.port}`;
  const { stripeBilling } = await import('../../../functions/adapters/stripe/stripe-billing.ts');
  return { stripe, billing: stripeBilling({ STRIPE_API: stripe.origin, STRIPE_SECRET_ID: 'stripe', STAGE }) };
}

test('a profile has the user’s attributes and whether a password is set', async () => {
  expect(await sessionUser.profile(await signedIn())).toEqual({
    username: expect.stringMatching(/^[\da-f-]{36}$/),
    email: address,
    emailVerified: true,
    name: 'Ada',
    providers: [],
    hasPassword: true,
  });
});

test('a password is changed with the current password', async () => {
  const token = await signedIn();
  await sessionUser.changePassword(token, { current: password, proposed: 'battery staple' });
  expect((await cognito.signInRaw(address)).error).toBe('NotAuthorizedException');
  expect((await cognito.signInRaw(address, 'battery staple')).error).toBeUndefined();
});

test.each([
  ['wrong-password', { current: 'something else', proposed: 'battery staple' }],
  ['wrong-password', { current: ' spaces around ', proposed: 'battery staple' }],
  ['weak-password', { current: password, proposed: 'short' }],
  ['weak-password', { current: password, proposed: ' battery staple' }],
  ['weak-password', { current: password, proposed: 'battery staple ' }],
  ['weak-password', { current: password, proposed: 'battery\nstaple' }],
])('a change is refused as %s (%o)', async (code, passwords) => {
  const token = await signedIn();
  expect(await refusalOf(sessionUser.changePassword(token, passwords))).toBe(code);
  expect((await cognito.signInRaw(address)).error).toBeUndefined();
});

test('a user who signs in only by a provider has no password to change', async () => {
  const answers: Record<string, [number, object]> = {
    // Cognito answers with a NotAuthorizedException, like for a wrong password.
    ChangePassword: [
      400,
      { __type: 'NotAuthorizedException', message: 'User is not authorized to change password.' },
    ],
    GetUser: [
      200,
      {
        Username: 'google_1234',
        UserAttributes: [
          { Name: 'sub', Value: '0b5d3a1e-1111-4222-8333-444455556666' },
          { Name: 'email', Value: 'Ada@Example.com' },
          { Name: 'email_verified', Value: 'true' },
          {
            Name: 'identities',
            Value: JSON.stringify([{ providerName: 'Google', userId: '1234', primary: 'true' }]),
          },
        ],
      },
    ],
  };
  const pool = await listen(0, (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const [status, body] = answers[operation] ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  cleanUps.push(() => pool.close());
  process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] = `http://127.0.0.1:${pool.port}`;
  const providerUser = cognitoSessionUser();

  expect(await providerUser.profile('token')).toEqual({
    username: 'google_1234',
    email: 'ada@example.com',
    emailVerified: true,
    name: undefined,
    providers: ['Google'],
    hasPassword: false,
  });
  const change = providerUser.changePassword('token', {
    current: password,
    proposed: 'battery staple',
  });
  expect(await refusalOf(change)).toBe('no-password');
});

test('guessing the current password is stopped after five tries', async () => {
  const token = await signedIn();
  const guess = () =>
    refusalOf(sessionUser.changePassword(token, { current: 'a guess', proposed: 'battery staple' }));
  const answers: unknown[] = [];
  for (let tries = 0; tries < 6; tries += 1) answers.push(await guess());
  expect(answers).toEqual([...Array.from({ length: 5 }, () => 'wrong-password'), 'too-many-tries']);
});

test('a revoked token is refused as not signed in, not as a wrong password', async () => {
  const token = await signedIn();
  await cognito.call('GlobalSignOut', { AccessToken: token });
  const change = sessionUser.changePassword(token, { current: password, proposed: 'battery staple' });
  expect(await refusalOf(change)).toBe('not-signed-in');
});

test('ending the sessions ends every session, including the caller’s', async () => {
  const token = await signedIn();
  const { RefreshToken } = (await cognito.signInRaw(address)).body.AuthenticationResult;
  await sessionUser.endSessions(token);
  expect(await refusalOf(sessionUser.profile(token))).toBe('not-signed-in');
  const refreshed = await cognito.call('GetTokensFromRefreshToken', { ClientId: clientId, RefreshToken });
  expect(refreshed.message).toBe('Refresh Token has been revoked');
  expect(await refusalOf(sessionUser.endSessions(token))).toBe('not-signed-in');
});

test('a deleted user’s token is refused', async () => {
  const token = await signedIn();
  await cognito.call('DeleteUser', { AccessToken: token });
  expect(await refusalOf(sessionUser.profile(token))).toBe('not-signed-in');
  const change = sessionUser.changePassword(token, { current: password, proposed: 'battery staple' });
  expect(await refusalOf(change)).toBe('not-signed-in');
});

test('invoices are listed newest first, with links that work', async () => {
  const { stripe, billing } = await stripeAdapter();
  const { customer } = await subscribe(stripe);
  await stripe.clock.advance(32 * 24 * 3_600_000);
  const invoices = await billing.invoicesOf(customer.id);
  expect(
    invoices.map(({ date, amount, currency, status }) => [date.slice(0, 10), amount, currency, status]),
  ).toEqual([
    ['2030-02-15', 500, 'usd', 'paid'],
    ['2030-01-15', 500, 'usd', 'paid'],
  ]);
  expect(invoices[1]?.number).toMatch(/-0001$/);
  expect((await fetch(String(invoices[0]?.hosted_invoice_url))).status).toBe(200);
  expect((await fetch(String(invoices[0]?.invoice_pdf))).status).toBe(200);
  expect(await billing.invoicesOf('cus_nobody')).toEqual([]);
});

test('deleting a customer ends its subscription, detaches its card and prevents purchases', async () => {
  const { stripe, billing } = await stripeAdapter();
  const { customer, subscription } = await subscribe(stripe);
  const { data: prices } = await stripe.stripe.prices.list({ lookup_keys: ['plus_monthly'] });
  const { session } = await openCheckout(stripe, {
    customer: customer.id,
    line_items: [{ price: String(prices[0]?.id), quantity: 1 }],
  });

  const row: UserPlan = { id: 'user-1', plan: 'plus', version: 1 };
  await billing.deleteCustomer(customer.id, row);
  expect(await stripe.submitCard(session)).toMatchObject({ kind: 'refused' });
  expect(await billing.subscriptionsOf(customer.id, row)).toMatchObject([
    { id: subscription.id, status: 'canceled' },
  ]);
  const card = await stripe.stripe.paymentMethods.retrieve(subscription.default_payment_method as string);
  expect(card.customer).toBeNull();

  await billing.deleteCustomer(customer.id, row);
  for (const ended of await billing.subscriptionsOf(customer.id, row)) await billing.cancelNow(ended);
  await billing.expireCheckout(session.id);
  expect(
    await billing.openCheckout({
      customerId: customer.id,
      userId: 'ada',
      returnUrl: 'http://localhost/',
      automaticTax: false,
    }),
  ).toBeUndefined();
  expect(await billing.ownerOf(customer.id)).toBeUndefined();
  // The invoices are kept.
  expect(await billing.invoicesOf(customer.id)).toHaveLength(1);
});

test('a user who deletes the account is never charged again', async () => {
  const { stripe, billing } = await stripeAdapter();
  const { customer, session } = await subscribe(stripe, { number: '4000 0000 0000 0341' });
  // The renewal fails, and Stripe is going to try again.
  await stripe.clock.advance(32 * 24 * 3_600_000);
  const token = await signedIn();
  const plans = memoryPlans();
  const pool = cognitoAccountPool(poolId);
  const id = (await pool.find(address))?.sub ?? '';
  const row: UserPlan = {
    id,
    plan: 'plus',
    billing_customer_id: customer.id,
    checkout_session_id: session.id,
    version: 1,
  };
  plans.put(row);
  const tasks = memoryTasks();
  const dependencies = { ...accountParts(), pool, plans, billing, tasks, sessionUser };
  const answer = await call(deleteAccount(dependencies), {
    user: id,
    authTime: Math.floor(Date.now() / 1000),
    body: {},
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.body).toMatchObject({ subscriptionEnded: true, mailSent: true });
  expect(plans.rows.size).toBe(0);
  expect((await cognito.signInRaw(address)).error).toBe('NotAuthorizedException');

  const paid = async () => (await stripe.stripe.charges.list({ limit: 100 })).data.length;
  const before = await paid();
  await stripe.clock.advance(100 * 24 * 3_600_000);
  expect(await paid()).toBe(before);
  expect((await billing.subscriptionsOf(customer.id, row)).map(({ status }) => status)).toEqual(['canceled']);
});
