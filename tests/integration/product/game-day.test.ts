import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { differencesOf } from '../../../infra/operate/deploy/webhook-endpoint.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { Schedules } from '../../../infra/local/aws/scheduler/schedules.ts';
import { Store } from '../../../infra/local/base/store.ts';
import { REGION } from '../../../infra/local/stack/resource-type.ts';
import type { Stack } from '../../../infra/local/stack/template.ts';
import type { BackgroundFunction } from '../../../schemas/config/environment.ts';
import type { LogEvent } from '../../../schemas/config/log-events.ts';
import { fromCloudFront } from '../../fixtures/fakes/origin-key.ts';
import {
  COGNITO_CALLBACK,
  issuerSecret,
  password,
  poolId,
  SITE_URL,
} from '../../fixtures/worlds/call-recording-product.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import { appSignIns, refreshForm } from '../../fixtures/worlds/app-sign-in.ts';
import { startAlarmedProduct, type AlarmedProduct } from '../../fixtures/worlds/alarmed-product.ts';

const MINUTE = 60_000;
const runbook = readFileSync('.github/runbook.md', 'utf8');

let world: AlarmedProduct;
let cognitoEndpoint: string;
beforeAll(async () => {
  world = await startAlarmedProduct();
  cognitoEndpoint = process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] ?? '';
});
afterAll(() => world.stop());
beforeEach(() => world.beginDay());
afterEach(() => world.endDay());

/** A failure, its alarms and its fix. */
interface Scenario {
  /** The failure and its cause. */
  failure: string;
  /** The alarms that fire, the first with the entry to follow, and no others. */
  fires: [string, ...string[]];
  /** The severity of the first alarm. */
  severity: 'page' | 'mail';
  /** A part of the text after _Look_ in the runbook's entry. */
  look: string;
  /** The event that the handlers have logged then. Absent where only Lambda or AWS knows of the failure. */
  logged?: LogEvent;
  /** A part of the text after _Do_ in the runbook's entry, which `fix` follows. */
  do: string;
  cause: () => Promise<unknown>;
  fix: () => Promise<unknown>;
  /** How long the alarms may still fire after the fix; milliseconds. */
  quietAfter: number;
}

const goodKeys = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };

/** Does `work` in each of this many periods, of five minutes by default. */
async function inPeriods(
  count: number,
  work: () => Promise<unknown>,
  length: number = 5 * MINUTE,
): Promise<void> {
  for (let period = 0; period < count; period += 1) {
    if (period > 0) await world.advance(length);
    await work();
  }
}

/**
 * A user pays, and then pays `times` links that support has sent, with `card`. `delivers`: whether webhooks
 * tell of those.
 */
async function buyAgain({
  card,
  times = 1,
  delivers = true,
}: { card?: string; times?: number; delivers?: boolean } = {}): Promise<void> {
  const user = await world.user();
  await world.buy(user);
  const { stripe } = world.product.stripe;
  const [first] = await world.product.subscriptionsOf(user);
  const customer = String((await world.product.rowOf(user))?.['billing_customer_id']);
  const metadata = markOf(STAGE, user.id);
  world.deliverWebhooks(delivers);
  for (let time = 0; time < times; time += 1) {
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      ui_mode: 'embedded_page',
      customer,
      line_items: [{ price: String(first?.items.data[0]?.price.id), quantity: 1 }],
      return_url: `${SITE_URL}/checkout/return?session_id={CHECKOUT_SESSION_ID}`,
      metadata,
      subscription_data: { metadata },
    });
    await world.product.pay(session.id, card);
  }
  await world.product.stripe.service.allDelivered();
}

const tasks = async (): Promise<number> => {
  const { Items = [] } = await world.product.dynamodb.send(new ScanCommand({ TableName: 'StripeWork' }));
  return Items.filter(({ kind, work }) => kind === 'task' && work !== 'tell').length;
};

/** The steps of a sign-in with GitHub that call GitHub. Resolves with the status of the token step. */
async function signInWithGitHub(): Promise<number> {
  const step = async (name: string, request: { headers?: object; [field: string]: unknown }) => {
    const handler = await world.product.handlerOf('github-oidc');
    return (await world.invoke('github-oidc/github-oidc', () =>
      handler({
        rawQueryString: '',
        pathParameters: { step: name },
        ...request,
        headers: { ...fromCloudFront, ...request['headers'] },
        requestContext: { requestId: 'request', http: { method: request['method'] ?? 'GET' } },
      }),
    )) as { statusCode: number; headers: Record<string, string>; cookies?: string[] };
  };
  const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
  const asked = await step('authorize', {
    rawQueryString: query({
      client_id: 'cognito',
      redirect_uri: COGNITO_CALLBACK,
      response_type: 'code',
      scope: 'openid',
      state: 'state',
    }),
  });
  const back = world.product.github.authorize(String(asked.headers['location']));
  const called = await step('callback', {
    rawQueryString: back.searchParams.toString(),
    cookies: [String(asked.cookies?.[0]?.split(';')[0])],
  });
  const code = new URL(String(called.headers['location'])).searchParams.get('code') ?? '';
  const { statusCode } = await step('token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query({
      grant_type: 'authorization_code',
      code,
      redirect_uri: COGNITO_CALLBACK,
      client_id: 'cognito',
      client_secret: issuerSecret.clientSecret,
    }),
  });
  return statusCode;
}

const message = (triggerSource: string) =>
  world.trigger('triggers/custom-message', {
    triggerSource,
    userPoolId: poolId,
    userName: 'ada',
    // An administrator: a day's mails to one address are limited.
    callerContext: { clientId: 'CLIENT_ID_NOT_APPLICABLE' },
    request: { codeParameter: '{####}', userAttributes: { email: 'ada@example.com' } },
    response: {},
  });

const renewToken = () =>
  world.trigger('triggers/pre-token-generation', {
    triggerSource: 'TokenGeneration_RefreshTokens',
    userPoolId: poolId,
    userName: 'ada',
    request: { userAttributes: { sub: 'ada' } },
    response: {},
  });

/** Lets each trigger of Cognito run once, as a sign-up does. */
async function signUpByTriggers(): Promise<void> {
  const user = await world.product.beginSignUp();
  const event = { userPoolId: poolId, userName: user.id, response: {} };
  const userAttributes = { sub: user.id, email: user.email, email_verified: 'true', name: 'Ada' };
  const request = { userAttributes, codeParameter: '{####}' };
  const sources = {
    'triggers/pre-sign-up': 'PreSignUp_SignUp',
    'triggers/custom-message': 'CustomMessage_SignUp',
    'triggers/post-confirmation': 'PostConfirmation_ConfirmSignUp',
  } as const;
  for (const [name, triggerSource] of Object.entries(sources)) {
    await world
      .trigger(name as BackgroundFunction, { ...event, triggerSource, request })
      .catch(() => undefined);
  }
}

/** The function's variables after another deployment: their processes restart. */
function deployWith(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  world.product.endEnvironments();
}

const changePassword = async (): Promise<string> => {
  const user = await world.user();
  const body = { currentPassword: password, newPassword: 'correct horse 2' };
  expect((await world.ask('change-password', user, { body })).status).toBe(200);
  return user.email;
};

// A site with a Cognito of its own for the canary: the stand-in knows no sign-in with rights in AWS.
let site: Server | undefined;
let siteStatus = 200;
async function startSite(): Promise<void> {
  const plan = {
    plan: 'free',
    planExpiresAt: null,
    stripeSubscriptionId: null,
    createdAt: null,
    lastSignInAt: null,
  };
  site = createServer((request, response) => {
    const isSignIn = request.headers['x-amz-target'] !== undefined;
    response.writeHead(isSignIn ? 200 : siteStatus, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(isSignIn ? { AuthenticationResult: { AccessToken: 'token' } } : plan));
  });
  await new Promise<void>((resolve) => void site?.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  deployWith({
    SITE_URL: origin,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: origin,
    CANARY_CLIENT_ID: 'canary',
    CANARY_SECRET_ID: 'canary',
    CANARY_EMAIL: 'canary@selfsame.example',
  });
}

/** Warns the owner of an account at this address, which nobody has signed in to for eleven months. */
async function warnIdle(address: string): Promise<void> {
  const user = await world.user(address);
  const idle_due_at = new Date(Date.now() - HOUR).toISOString();
  await world.product.changeRow(user, { idle_due_at, idle_shard: 0 });
  await world.schedule('schedules/idle-accounts', { task: 'sweep' });
  await world.mailReturned();
  // The warning doesn't count.
  expect(await world.product.rowOf(user)).toMatchObject({ idle_warnings: 0 });
}
const rate = (name: 'Bounce' | 'Complaint', value: number): void =>
  world.put({ namespace: 'AWS/SES', name: `Reputation.${name}Rate` }, value);

const askForAddress = async (): Promise<void> => {
  const user = await world.user();
  const body = { newEmail: user.email.replace('user', 'new') };
  expect((await world.ask('change-email', user, { body })).status).toBe(200);
};

const catchUp = 'schedules/event-catch-up';
const quietTime = 20 * MINUTE;

const scenarios: Scenario[] = [
  {
    failure: 'Stripe refuses our secret key, which has expired',
    fires: ['StripeKeyRefused', 'DeadLetters'],
    severity: 'page',
    look: 'stripe-key-refused',
    logged: 'stripe-key-refused',
    do: 'npm run ops -- secrets production',
    async cause() {
      await world.product.storeSecret('stripe', { ...goodKeys, secretKey: 'sk_test_expired' });
      world.product.endEnvironments();
      expect((await world.buy(await world.user())).status).toBe(503);
      await world.schedule(catchUp);
    },
    async fix() {
      await world.product.storeSecret('stripe', goodKeys);
      await world.advance(MINUTE);
      expect((await world.buy(await world.user())).status).toBe(200);
      expect(await world.redrive()).toContain('Runs again.');
    },
    quietAfter: quietTime,
  },
  {
    failure: 'Stripe refuses what a user asks for',
    fires: ['StripeRefusals'],
    severity: 'mail',
    look: 'stripe-refused',
    logged: 'stripe-refused',
    do: "do it for the user in Stripe's dashboard",
    async cause() {
      const user = await world.user();
      await world.buy(user);
      const [subscription] = await world.product.subscriptionsOf(user);
      const { faults } = world.product.stripe.service;
      faults.addLasting({ fault: 'bad-request', method: 'POST', path: '/v1/subscriptions/:id' });
      const cancel = { body: { subscription_id: String(subscription?.id) } };
      expect(await world.ask('cancel-subscription', user, cancel)).toMatchObject({
        status: 503,
        body: { code: 'stripe-refused' },
      });
      expect((await world.ask('plan', user)).body).toMatchObject({ plan: 'plus' });
    },
    async fix() {
      world.product.stripe.service.faults.clear();
    },
    quietAfter: quietTime,
  },
  {
    failure: 'every checkout fails, and one user a day shift tries',
    fires: ['CheckoutFails'],
    severity: 'page',
    look: 'functions/api/create-checkout-session.ts',
    do: 'status.stripe.com',
    async cause() {
      const { faults } = world.product.stripe.service;
      faults.addLasting({ fault: 'server-error', method: 'POST', path: '/v1/checkout/sessions' });
      expect((await world.buy(await world.user())).status).toBe(503);
      expect(world.firing()).toEqual([]);
      await world.advance(7 * HOUR);
      expect((await world.buy(await world.user())).status).toBe(503);
    },
    async fix() {
      world.product.stripe.service.faults.clear();
      expect((await world.buy(await world.user())).status).toBe(200);
    },
    quietAfter: 2 * DAY,
  },
  {
    failure: 'a row has an end and no Plus',
    fires: ['PlanContradictions'],
    severity: 'mail',
    look: 'plan-contradiction',
    logged: 'plan-contradiction',
    do: 'support reconcile',
    async cause() {
      const user = await world.user();
      const { id } = user;
      await world.product.dynamodb.send(
        new PutCommand({
          TableName: 'UserPlans',
          Item: { id, plan: 'free', plan_expires_at: '2099-01-01T00:00:00.000Z', version: 1 },
        }),
      );
      await world.ask('plan', user);
    },
    fix: async () => undefined,
    quietAfter: quietTime,
  },
  {
    failure: 'an app goes on with its old refresh token, and ten of its users are signed out',
    fires: ['AppTokensReused'],
    severity: 'mail',
    look: 'stats count() by message.address',
    logged: 'app-token-reused',
    do: 'tell its developer',
    async cause() {
      const apps = appSignIns(world.product, world.ask);
      for (let user = 0; user < 10; user += 1) {
        const token = await apps.signIn(await world.user());
        await apps.refresh(token);
        await world.advance(MINUTE);
        expect((await world.ask('token', undefined, refreshForm(token))).body).toMatchObject({
          error: 'invalid_grant',
        });
      }
    },
    // The app's next version.
    async fix() {
      const apps = appSignIns(world.product, world.ask);
      await world.advance(DAY);
      await apps.refresh(await apps.refresh(await apps.signIn(await world.user())));
    },
    quietAfter: 3 * DAY,
  },
  {
    failure: 'the webhook endpoint is disabled while somebody pays',
    fires: ['WebhooksMissing'],
    severity: 'mail',
    look: 'Is it there, enabled',
    do: 'it enables the endpoint',
    async cause() {
      const { webhookEndpoints } = world.product.stripe.stripe;
      const url = `${SITE_URL}/api/stripe/webhook`;
      const { id } = await webhookEndpoints.create({ url, enabled_events: ['invoice.paid'] });
      const endpoint = await webhookEndpoints.update(id, { disabled: true });
      expect(differencesOf(endpoint, url, '')).toContain('it is disabled');
      world.deliverWebhooks(false);
      const user = await world.user();
      await world.buy(user);
      await world.hours(2, [catchUp]);
      // Nobody loses Plus meanwhile.
      expect(await world.product.rowOf(user)).toMatchObject({ plan: 'plus' });
    },
    async fix() {
      world.deliverWebhooks(true);
      await world.buy(await world.user());
    },
    quietAfter: 0,
  },
  {
    failure: 'the webhook endpoint signs with a secret that we do not know',
    fires: ['WebhooksMissing'],
    severity: 'mail',
    look: 'bad-signature',
    logged: 'request-refused',
    do: 'If the secret is the wrong one, roll it',
    async cause() {
      await world.product.storeSecret('stripe', { ...goodKeys, webhookSecret: 'whsec_another' });
      world.product.endEnvironments();
      await world.buy(await world.user());
      await world.hours(2, [catchUp]);
    },
    async fix() {
      await world.product.storeSecret('stripe', {
        ...goodKeys,
        webhookSecret: ['whsec_local', 'whsec_another'],
      });
      await world.advance(MINUTE);
      await world.buy(await world.user());
    },
    quietAfter: 0,
  },
  {
    failure: 'webhooks are answered with 500, since DynamoDB throttles a table at that time',
    fires: ['FailedWebhooks', 'ServerErrors', 'TableReadsThrottled'],
    severity: 'mail',
    look: 'functions/webhooks/stripe-webhook.ts',
    logged: 'request-failed',
    do: 'Stripe sends failed events again',
    async cause() {
      const user = await world.user();
      const { body } = await world.ask('create-checkout-session', user, {
        body: { planName: 'plus', userId: user.id, userEmail: user.email },
      });
      world.throttle('UserPlans');
      await world.product.pay(String(body['clientSecret']).split('_secret_')[0] ?? '');
      // Stripe sends them again meanwhile.
      await world.advance(10 * MINUTE);
    },
    async fix() {
      world.unthrottle('UserPlans');
      await world.advance(DAY);
      const [{ lastStatus } = {}] = world.product.stripe.service.listEvents();
      expect(lastStatus).toBe(200);
    },
    quietAfter: 0,
  },
  {
    failure: 'DynamoDB throttles the table of plans',
    fires: ['TableReadsThrottled', 'ServerErrors'],
    severity: 'page',
    look: 'the metrics of the tables: which one',
    do: 'on-demand tables grow by themselves',
    async cause() {
      const user = await world.user();
      world.throttle('UserPlans');
      await inPeriods(3, async () => expect((await world.ask('plan', user)).status).toBe(500));
    },
    fix: async () => world.unthrottle('UserPlans'),
    quietAfter: 45 * MINUTE,
  },
  {
    failure: 'DynamoDB throttles the writes of a table',
    fires: ['TableWritesThrottled', 'ServerErrors'],
    severity: 'page',
    look: 'TableReadsThrottled',
    do: 'the event catch-up write them',
    async cause() {
      world.throttle('Waitlist');
      const body = { email: 'ada@example.com', name: 'Ada Lovelace' };
      await inPeriods(3, async () =>
        expect((await world.ask('waitlist', undefined, { body })).status).toBe(500),
      );
    },
    fix: async () => world.unthrottle('Waitlist'),
    quietAfter: 45 * MINUTE,
  },
  {
    failure: 'a scheduled job fails in all its tries, since DynamoDB throttles its table',
    fires: ['DeadLetters'],
    severity: 'mail',
    look: 'npm run ops -- redrive production --list',
    do: 'npm run ops -- redrive production',
    async cause() {
      world.throttle('StripeWork');
      await world.schedule('schedules/billing-tasks');
    },
    async fix() {
      world.unthrottle('StripeWork');
      expect(await world.redrive()).toMatch(/BillingTasks.*: .*capacity of your table[^]*Runs again/);
    },
    quietAfter: quietTime,
  },
  {
    failure: 'the event catch-up runs out of time, hour after hour',
    fires: ['CatchUpBehind', 'UnfinishedRuns'],
    severity: 'mail',
    look: 'sweep-finished',
    logged: 'sweep-finished',
    do: 'see [UnfinishedRuns]',
    async cause() {
      world.setTimeLeft(0);
      await world.hours(4, [catchUp]);
    },
    async fix() {
      world.setTimeLeft(600_000);
      await world.hours(3, [catchUp]);
      // The lag is ten minutes again. The hours that were not done are still among the last six.
      expect(world.firing()).toEqual(['UnfinishedRuns']);
      await world.hours(6, [catchUp]);
    },
    quietAfter: 0,
  },
  {
    failure: 'the sweep of idle accounts runs out of time once',
    fires: ['UnfinishedDailyRuns'],
    severity: 'mail',
    look: 'sweep-finished',
    logged: 'sweep-finished',
    do: 'nothing, if it was once',
    async cause() {
      const idle_due_at = new Date(Date.now() - HOUR).toISOString();
      await world.product.changeRow(await world.user(), { idle_due_at, idle_shard: 0 });
      world.setTimeLeft(0);
      await world.schedule('schedules/idle-accounts', { task: 'sweep' });
    },
    async fix() {
      world.setTimeLeft(600_000);
      await world.schedule('schedules/idle-accounts', { task: 'sweep' });
    },
    quietAfter: 3 * DAY,
  },
  {
    failure: 'the export of the users runs out of time for more than a day',
    fires: ['UserExportMissing'],
    severity: 'mail',
    look: 'sweep-finished',
    logged: 'sweep-finished',
    do: 'The next hour goes on',
    async cause() {
      await world.schedule('schedules/user-export');
      world.setTimeLeft(0);
      await world.hours(30, ['schedules/user-export']);
    },
    async fix() {
      world.setTimeLeft(600_000);
      await world.hours(1, ['schedules/user-export']);
    },
    quietAfter: 3 * HOUR,
  },
  {
    failure: 'a subscription has ended, and nothing has told us',
    fires: ['PlanDisagreements'],
    severity: 'mail',
    look: 'plan-disagrees',
    logged: 'plan-disagrees',
    do: 'repair the cause first',
    async cause() {
      const user = await world.user();
      await world.buy(user);
      world.deliverWebhooks(false);
      const [subscription] = await world.product.subscriptionsOf(user);
      await world.product.stripe.stripe.subscriptions.cancel(String(subscription?.id));
      await world.advance(3 * HOUR);
      await world.schedule('schedules/plan-agreement');
      expect(await world.product.rowOf(user)).toMatchObject({ plan: 'plus' });
    },
    async fix() {
      world.deliverWebhooks(true);
      await world.hours(24, [catchUp]);
      await world.schedule('schedules/plan-agreement');
    },
    quietAfter: 0,
  },
  {
    failure: 'a user has left the pool past our route, and pays on',
    fires: ['OrphansEnded'],
    severity: 'mail',
    look: 'orphaned-billing-ended',
    logged: 'orphaned-billing-ended',
    do: 'nothing, if it was one user who has left',
    async cause() {
      const user = await world.user();
      await world.buy(user);
      const customer = String((await world.product.rowOf(user))?.['billing_customer_id']);
      await world.product.cognito.call('DeleteUser', { AccessToken: user.token });
      // The task that an announced renewal leaves for a missing user.
      const now = new Date().toISOString();
      const task = { work: 'check-user-again', customer_id: customer, user_id: user.id, failure: 'missing' };
      await world.product.dynamodb.send(
        new PutCommand({
          TableName: 'StripeWork',
          Item: {
            kind: 'task',
            id: `check-user-again#${customer}`,
            ...task,
            since: now,
            due: now,
            left: 1,
            tries: 0,
          },
        }),
      );
      await world.hours(1, ['schedules/billing-tasks']);
    },
    fix: async () => undefined,
    quietAfter: 3 * HOUR,
  },
  {
    failure: 'Stripe refuses a refund for a day',
    fires: ['BillingStuck'],
    severity: 'mail',
    look: 'billing-stuck',
    logged: 'billing-stuck',
    do: 'the next run then finds it done and removes it',
    async cause() {
      world.product.stripe.service.faults.addLasting({
        fault: 'bad-request',
        method: 'POST',
        path: '/v1/refunds',
      });
      await buyAgain();
      expect(await tasks()).toBe(1);
      await world.hours(24, ['schedules/billing-tasks']);
    },
    async fix() {
      // By hand, in the dashboard.
      const { service, stripe } = world.product.stripe;
      service.faults.clear();
      const { data } = await stripe.invoicePayments.list({ limit: 1 });
      const intent = data[0]?.payment.payment_intent;
      if (typeof intent !== 'string') throw new Error('Stripe lists no payment.');
      await stripe.refunds.create({ payment_intent: intent });
      await world.hours(1, ['schedules/billing-tasks']);
      expect(await tasks()).toBe(0);
    },
    quietAfter: quietTime,
  },
  {
    failure: 'the bank of a payer refuses a refund',
    fires: ['FailedRefunds'],
    severity: 'mail',
    look: 'refund-failed',
    logged: 'refund-failed',
    do: 'pay the money back outside Stripe',
    async cause() {
      await buyAgain({ card: '4000 0000 0000 5126' });
      await world.advance(DAY);
    },
    fix: async () => undefined,
    quietAfter: quietTime,
  },
  {
    failure: 'functions give money back five times within an hour',
    fires: ['ManyRefunds'],
    severity: 'page',
    look: 'duplicate-refunded',
    logged: 'duplicate-refunded',
    do: '(#roll-back) at once',
    async cause() {
      await buyAgain({ times: 5, delivers: false });
      await world.schedule(catchUp);
    },
    fix: async () => undefined,
    quietAfter: 3 * HOUR,
  },
  {
    failure: 'the client secret at GitHub has expired',
    fires: ['GitHubSecretRefused'],
    severity: 'page',
    look: 'its client id and its secrets',
    logged: 'github-step-failed',
    do: 'npm run ops -- secrets production',
    async cause() {
      await world.product.storeSecret('github', { clientId: 'github-id', clientSecret: 'expired' });
      world.product.endEnvironments();
      expect(await signInWithGitHub()).toBeGreaterThanOrEqual(400);
    },
    async fix() {
      await world.product.storeSecret('github', { clientId: 'github-id', clientSecret: 'github-secret' });
      world.product.endEnvironments();
      expect(await signInWithGitHub()).toBe(200);
    },
    quietAfter: quietTime,
  },
  {
    failure: 'SES refuses our mails, since the domain is not verified',
    fires: ['UnsentMail'],
    severity: 'mail',
    look: 'mail-not-sent',
    logged: 'mail-not-sent',
    do: 'set the DNS records',
    async cause() {
      await world.product.verifyDomain(false);
      await inPeriods(2, changePassword);
    },
    async fix() {
      await world.product.verifyDomain(true);
      expect(world.product.mailTo(await changePassword())).not.toBe('');
    },
    quietAfter: 2 * HOUR,
  },
  {
    failure: 'SES does not say whose mail bounces',
    fires: ['SuppressionNotRead'],
    severity: 'mail',
    look: 'TooManyRequestsException',
    logged: 'suppression-not-read',
    do: 'a rule in the web ACL',
    async cause() {
      world.tellSuppressed(false);
      await inPeriods(2, askForAddress);
    },
    async fix() {
      world.tellSuppressed(true);
      await askForAddress();
    },
    quietAfter: 2 * HOUR,
  },
  {
    failure: 'mail bounces, one in ten',
    fires: ['MailPauseNear', 'MailBounces'],
    severity: 'page',
    look: 'which mails bounce',
    logged: 'mail-returned',
    do: 'stop what causes them at once',
    async cause() {
      await warnIdle('bounce@simulator.amazonses.com');
      rate('Bounce', 0.1);
    },
    fix: () => world.advance(2 * HOUR).then(() => rate('Bounce', 0.01)),
    quietAfter: 0,
  },
  {
    failure: 'mail is marked as spam, one in two hundred, and none bounces',
    fires: ['MailPauseNear', 'MailComplaints'],
    severity: 'page',
    look: 'which mails bounce',
    logged: 'idle-account-unreachable',
    do: 'stop what causes them at once',
    async cause() {
      await warnIdle('complaint@simulator.amazonses.com');
      rate('Complaint', 0.005);
    },
    fix: () => world.advance(2 * HOUR).then(() => rate('Complaint', 0.0001)),
    quietAfter: 0,
  },
  {
    failure: 'a deployment leaves a variable of Cognito’s triggers out',
    fires: ['Mail', 'AccountLinking', 'SignUpTriggers'],
    severity: 'page',
    look: 'functions/triggers/custom-message.ts',
    do: 'roll back',
    async cause() {
      deployWith({ SITE_URL: '' });
      await inPeriods(2, signUpByTriggers);
    },
    async fix() {
      deployWith({ SITE_URL });
      await signUpByTriggers();
    },
    quietAfter: 2 * HOUR,
  },
  {
    failure: 'a deployment leaves the name of a table out of the trigger that runs at each sign-in',
    fires: ['SignInTrigger'],
    severity: 'page',
    look: 'functions/triggers/pre-token-generation.ts',
    do: 'roll back',
    async cause() {
      deployWith({ PLANS_TABLE: '' });
      await inPeriods(2, () => renewToken().catch(() => undefined));
    },
    async fix() {
      deployWith({ PLANS_TABLE: 'UserPlans' });
      await renewToken();
    },
    quietAfter: 2 * HOUR,
  },
  {
    failure: 'sign-ins are not recorded as use, since the table doesn’t answer',
    fires: ['UnrecordedUses'],
    severity: 'mail',
    look: 'use-not-recorded',
    logged: 'use-not-recorded',
    do: 'npm run deploy:production -- --revert-drift',
    async cause() {
      world.throttle('UserPlans');
      // Each waits until the table's time is over.
      await Promise.all(Array.from({ length: 100 }, renewToken));
    },
    fix: async () => world.unthrottle('UserPlans'),
    quietAfter: 4 * DAY,
  },
  {
    failure: 'fifty mails are all that Cognito sends a day without SES',
    fires: ['MailQuota'],
    severity: 'mail',
    look: 'Are they real users',
    do: 'without SES: set it up',
    async cause() {
      for (let mails = 0; mails < 40; mails += 1) await message('CustomMessage_ForgotPassword');
    },
    fix: async () => undefined,
    quietAfter: 4 * DAY,
  },
  {
    failure: 'more than a hundred accounts are due to be deleted',
    fires: ['IdleLimitReached'],
    severity: 'page',
    look: '`lastSignInAt`',
    logged: 'idle-limit-reached',
    do: 'aws scheduler update-schedule --cli-input-json',
    async cause() {
      const idle_due_at = new Date(Date.now() - HOUR).toISOString();
      const put = (id: string) =>
        world.product.dynamodb.send(
          new PutCommand({
            TableName: 'UserPlans',
            Item: { id, plan: 'free', version: 1, idle_due_at, idle_shard: 0, idle_warnings: 2 },
          }),
        );
      await Promise.all(Array.from({ length: 101 }, (_, index) => put(`idle-${index}`)));
      await world.schedule('schedules/idle-accounts', { task: 'sweep' });
    },
    fix: async () => undefined,
    quietAfter: quietTime,
  },
  {
    failure: 'the site answers with 503',
    fires: ['SiteDown'],
    severity: 'page',
    look: 'canary-failed',
    logged: 'canary-failed',
    do: 'For `page`, check',
    async cause() {
      await startSite();
      siteStatus = 503;
      await inPeriods(3, () => world.schedule('schedules/canary'));
    },
    async fix() {
      siteStatus = 200;
      await inPeriods(2, async () => {
        await world.advance(5 * MINUTE);
        await world.schedule('schedules/canary');
      });
    },
    quietAfter: 0,
  },
];

const stopped: Scenario = {
  failure: 'somebody has disabled all schedules',
  fires: [
    'ExpirySweepStopped',
    'BillingTasksStopped',
    'CanaryStopped',
    'EventCatchUpStopped',
    'IdleAccountsStopped',
    'UnconfirmedSweepStopped',
    'PlanAgreementStopped',
    'UserExportStopped',
  ],
  severity: 'mail',
  look: 'Is it enabled',
  do: 'npm run deploy:production -- --revert-drift',
  async cause() {
    await startSite();
    schedules = new Schedules({
      clock: world.product.stripe.clock,
      store: new Store(':memory:'),
      invoke(functionArn, event) {
        const entry = world.entryOf(functionArn);
        // It waits between its pages, by the machine's time.
        if (entry === 'schedules/user-export') return world.invoke(entry, async () => {});
        return world.schedule(entry, event);
      },
    });
    await schedules.update(world.stack);
    await world.advance(DAY);
    expect(world.firing()).toEqual([]);
    await schedules.update(disabled(world.stack));
    await world.advance(5 * DAY);
  },
  async fix() {
    await schedules?.update(world.stack);
    await world.advance(DAY);
  },
  quietAfter: 0,
};
let schedules: Schedules | undefined;

/** The stack with this property on its schedules. */
const disabled = (stack: Stack): Stack => ({
  name: stack.name,
  of: (type) =>
    stack.of(type).map((resource) => ({
      ...resource,
      properties: { ...resource.properties, State: 'DISABLED' },
    })),
  asset: (key) => stack.asset(key),
  withLocalAddresses: (text) => text,
});

const siteClient = (): Record<string, string> => ({
  UserPool: world.stack.of('AWS::Cognito::UserPool')[0]?.ref ?? '',
  UserPoolClient: world.stack.of('AWS::Cognito::UserPoolClient').find(({ id }) => /Site/.test(id))?.ref ?? '',
});
const failedFederation = (IdentityProvider: string, tries: number) => () => {
  const dimensions = { ...siteClient(), IdentityProvider };
  for (let time = 0; time < tries; time += 1) {
    world.put({ namespace: 'AWS/Cognito', name: 'FederationSuccesses', dimensions }, 0);
  }
};

/**
 * Metrics that AWS counts and no stand-in does. The test sets the number, so only the alarm is tried: it
 * fires at this number of periods, and not before.
 */
const countedByAws: {
  alarm: string;
  counts: string;
  periods: number;
  /** A period; milliseconds. @default five minutes */
  length?: number;
  count: () => void;
}[] = [
  {
    alarm: 'RequestsThrottled',
    counts: 'API Gateway refuses requests with 429',
    periods: 3,
    count: () => world.refuseAtGateway('GET /plan', '429', 'Too Many Requests'),
  },
  {
    alarm: 'RequestsBlocked',
    counts: 'WAF blocks 500 requests',
    periods: 3,
    count: () =>
      world.put(
        {
          namespace: 'AWS/WAFV2',
          name: 'BlockedRequests',
          dimensions: { WebACL: world.stack.name, Rule: 'ALL' },
        },
        500,
      ),
  },
  {
    alarm: 'SignInsBlocked',
    counts: 'WAF blocks 100 requests to the user pool',
    periods: 3,
    count: () =>
      world.put(
        {
          namespace: 'AWS/WAFV2',
          name: 'BlockedRequests',
          dimensions: { WebACL: `${world.stack.name}-sign-in`, Rule: 'ALL', Region: REGION },
        },
        100,
      ),
  },
  {
    alarm: 'FunctionsThrottled',
    counts: 'Lambda refuses to start functions',
    periods: 3,
    count: () => world.put({ namespace: 'AWS/Lambda', name: 'Throttles' }, 1),
  },
  {
    alarm: 'SignInsThrottled',
    counts: 'Cognito refuses sign-ins beyond its quota',
    periods: 3,
    count: () =>
      world.put({ namespace: 'AWS/Cognito', name: 'SignInThrottles', dimensions: siteClient() }, 1),
  },
  {
    alarm: 'GoogleSignInFails',
    counts: 'all users return from Google with an error',
    periods: 3,
    length: HOUR,
    count: failedFederation('Google', 2),
  },
  {
    alarm: 'GitHubSignInFails',
    counts: 'all users return from GitHub with an error',
    periods: 3,
    length: HOUR,
    count: failedFederation('GitHub', 2),
  },
  {
    alarm: 'MailBounces',
    counts: 'one mail in twenty bounces',
    periods: 1,
    count: () => rate('Bounce', 0.05),
  },
  {
    alarm: 'MailComplaints',
    counts: 'one mail in a thousand is called spam',
    periods: 1,
    count: () => rate('Complaint', 0.001),
  },
];

/** The entry of an alarm in the runbook, by its steps. */
function entryOf(alarm: string): Record<string, string> {
  const entry = runbook.split(`### \`${alarm}\`\n`)[1]?.split('\n### ')[0] ?? '';
  return Object.fromEntries(
    entry.split(/^- (?=Means:|Look:|Do:|Fixed:)/m).map((step) => {
      const [name = '', ...rest] = step.split(':');
      return [name, rest.join(':')];
    }),
  );
}

describe('on a game day', () => {
  // Put back what a scenario leaves, also where it has failed.
  afterEach(async ({ task }) => {
    await world.product.storeSecret('stripe', goodKeys);
    await world.product.storeSecret('github', { clientId: 'github-id', clientSecret: 'github-secret' });
    await world.product.verifyDomain(true);
    await schedules?.update(disabled(world.stack));
    if (site || task.result?.state === 'fail') {
      deployWith({ SITE_URL, AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: cognitoEndpoint });
    }
    site?.close();
    site = undefined;
  });

  test.each([...scenarios, stopped].map((scenario) => [scenario.failure, scenario] as const))(
    '%s',
    async (_, scenario) => {
      expect(world.firing()).toEqual([]);
      await scenario.cause();
      const letters = scenario.fires.includes('DeadLetters') ? '' : world.deadLetters();
      // The letters are compared for their errors, which a failure then shows.
      expect(letters).toBe('');
      expect(world.firing()).toEqual(scenario.fires.toSorted());
      expect(world.severityOf(scenario.fires[0])).toBe(scenario.severity);

      const entry = entryOf(scenario.fires[0]);
      expect(entry['Look']).toContain(scenario.look);
      expect(entry['Do']).toContain(scenario.do);
      expect([...world.logged()]).toEqual(expect.arrayContaining(scenario.logged ? [scenario.logged] : []));

      await scenario.fix();
      await world.advance(scenario.quietAfter);
      expect(world.firing()).toEqual([]);
    },
  );

  test('each alarm of production is caused, or AWS’s number for it is put in', () => {
    const tried = [
      ...[...scenarios, stopped].flatMap(({ fires }) => fires),
      ...countedByAws.map(({ alarm }) => alarm),
    ];
    expect([...new Set(tried)].toSorted()).toEqual(world.alarms.toSorted());
  });
});

test.each(countedByAws.map((each) => [each.counts, each] as const))(
  'where %s, an alarm fires',
  async (_, each) => {
    const { alarm, periods, length, count } = each;
    const fired: string[][] = [];
    await inPeriods(
      periods,
      async () => {
        count();
        fired.push(world.firing());
      },
      length,
    );
    expect(fired).toEqual([...Array.from({ length: periods - 1 }, () => []), [alarm]]);
    await world.advance(DAY);
    expect(world.firing()).toEqual([]);
  },
);

test('no alarm fires for one user who fails at GitHub again and again for half an hour', async () => {
  await inPeriods(6, async () => failedFederation('GitHub', 1)());
  expect(world.firing()).toEqual([]);
});

test('no alarm fires for what any stranger can cause: forged webhooks, and refused codes', async () => {
  await inPeriods(4, async () => {
    const headers = { 'stripe-signature': 't=1,v1=forged' };
    expect((await world.ask('stripe-webhook', undefined, { rawBody: '{}', headers })).status).toBe(400);
    await expect(message('CustomMessage_UpdateUserAttribute')).rejects.toThrow('cannot be changed');
  });
  expect(world.firing()).toEqual([]);
});
