import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BackgroundFunction } from '../../../schemas/background-functions.ts';
import type { LogEvent } from '../../../schemas/config/log-events.ts';
import type { MetricName } from '../../../schemas/config/metrics.ts';
import { poolId, SITE_URL } from '../../fixtures/worlds/call-recording-product.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import { startAlarmedProduct, type AlarmedProduct } from './alarmed-product.ts';

const MINUTE = 60_000;
const runbook = readFileSync('.github/runbook.md', 'utf8');

let world: AlarmedProduct;
beforeAll(async () => {
  world = await startAlarmedProduct();
});
afterAll(() => world.stop());
beforeEach(() => world.beginDay());
afterEach(() => world.endDay());

/** A failure, its alarms and its fix. */
interface Scenario {
  /** The failure and its cause. */
  failure: string;
  /** The alarms that fire, and no others. */
  fires: [string, ...string[]];
  /** The runbook's entry to follow. @default that of the first alarm */
  entry?: string;
  /** A part of the text after _Do_, which leads to the cause. */
  look: string;
  /** The event that the handlers have logged then. Absent where only Lambda or AWS knows of the failure. */
  logged?: LogEvent;
  /** A part of the text after _Do_, which `fix` follows. */
  do: string;
  cause: () => Promise<unknown>;
  fix: () => Promise<unknown>;
  /** How long the alarms may still fire after the fix; milliseconds. */
  quietAfter: number;
}

const goodKeys = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };
const quietTime = 20 * MINUTE;

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

/** A user pays, and then pays `times` links that support has sent. No webhook tells of those. */
async function buyAgain(times: number): Promise<void> {
  const user = await world.user();
  await world.buy(user);
  world.deliverWebhooks(false);
  for (let time = 0; time < times; time += 1) await world.product.buyAgain(user);
  await world.product.stripe.service.allDelivered();
}

/** Lets each trigger of Cognito run once, as a sign-up and the sign-in after it do. */
async function signUpByTriggers(): Promise<void> {
  const user = await world.product.beginSignUp();
  const event = { userPoolId: poolId, userName: user.id, response: {} };
  const userAttributes = { sub: user.id, email: user.email, email_verified: 'true', name: 'Ada' };
  const request = { userAttributes, codeParameter: '{####}' };
  const sources = {
    'triggers/pre-sign-up': 'PreSignUp_SignUp',
    'triggers/custom-message': 'CustomMessage_SignUp',
    'triggers/post-confirmation': 'PostConfirmation_ConfirmSignUp',
    'triggers/pre-token-generation': 'TokenGeneration_Authentication',
  } as const;
  for (const [name, triggerSource] of Object.entries(sources)) {
    await world.run(name as BackgroundFunction, { ...event, triggerSource, request }).catch(() => undefined);
  }
}

/** Runs the trigger of Cognito's mails for Ada. No limit applies to an administrator's mails. */
const writeMessage = (triggerSource: string) =>
  world.run('triggers/custom-message', {
    triggerSource,
    userPoolId: poolId,
    userName: 'ada',
    callerContext: { clientId: 'CLIENT_ID_NOT_APPLICABLE' },
    request: { codeParameter: '{####}', userAttributes: { sub: 'ada', email: 'ada@example.com' } },
    response: {},
  });

/** The function's variables after another deployment: their processes restart. */
function deployWith(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  world.product.endEnvironments();
}

const rate = (name: 'Bounce' | 'Complaint', value: number): void =>
  world.put({ namespace: 'AWS/SES', name: `Reputation.${name}Rate` }, value);

const scenarios: Scenario[] = [
  {
    failure: 'Stripe refuses our secret key, which has expired',
    fires: ['StripeKeyRefused'],
    look: 'stripe-key-refused',
    logged: 'stripe-key-refused',
    do: 'npm run ops -- secrets production',
    async cause() {
      await world.product.storeSecret('stripe', { ...goodKeys, secretKey: 'sk_test_expired' });
      world.product.endEnvironments();
      expect((await world.buy(await world.user())).status).toBe(503);
    },
    async fix() {
      await world.product.storeSecret('stripe', goodKeys);
      await world.advance(MINUTE);
      expect((await world.buy(await world.user())).status).toBe(200);
    },
    quietAfter: quietTime,
  },
  {
    failure: 'every checkout fails, and one user a day shift tries',
    fires: ['CheckoutFails'],
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
    failure: 'DynamoDB throttles the table of plans',
    fires: ['TablesThrottled', 'ServerErrors'],
    look: 'quota (40,000 units a second)',
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
    failure: 'functions give money back five times within an hour',
    fires: ['ManyRefunds'],
    look: 'duplicate-refunded',
    logged: 'duplicate-refunded',
    do: '(#roll-back) at once',
    async cause() {
      await buyAgain(5);
      await world.run('schedules/event-catch-up');
    },
    fix: async () => undefined,
    quietAfter: 3 * HOUR,
  },
  {
    failure: 'mail bounces, one in ten',
    fires: ['MailPauseNear', 'MailReputation'],
    entry: 'MailReputation',
    look: 'which mails bounce',
    do: 'stop what causes it at once',
    cause: async () => rate('Bounce', 0.1),
    fix: () => world.advance(2 * HOUR).then(() => rate('Bounce', 0.01)),
    quietAfter: 0,
  },
  {
    failure: 'a deployment leaves a variable of Cognito’s triggers out',
    fires: ['AccountTriggers'],
    look: "the link's streams name the trigger",
    do: '(#roll-back)',
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
];

const siteClient = (): Record<string, string> => ({
  UserPool: world.stack.of('AWS::Cognito::UserPool')[0]?.ref ?? '',
  UserPoolClient: world.stack.of('AWS::Cognito::UserPoolClient').find(({ id }) => /Site/.test(id))?.ref ?? '',
});
const cognito =
  (name: string, value: number, more: Record<string, string> = {}) =>
  () =>
    world.put({ namespace: 'AWS/Cognito', name, dimensions: { ...siteClient(), ...more } }, value);
const own = (name: MetricName, value: number) => () =>
  world.put({ namespace: world.stack.name, name }, value);
const failedFederation = (IdentityProvider: string, tries: number) => () => {
  for (let time = 0; time < tries; time += 1) cognito('FederationSuccesses', 0, { IdentityProvider })();
};

interface Counted {
  fires: string[];
  count: () => void;
  /** @default 3 */
  periods?: number;
  /** A period; milliseconds. @default five minutes */
  length?: number;
}

/**
 * Numbers that AWS counts, and metrics whose functions are tried elsewhere. The test sets them, so only the
 * alarm is tried: it fires at this number of periods, and not before.
 */
const numbers: Record<string, Counted> = {
  'Lambda refuses to start functions': {
    fires: ['FunctionsThrottled'],
    count: () => world.put({ namespace: 'AWS/Lambda', name: 'Throttles' }, 1),
  },
  'a script signs up': { fires: ['SignUpFlood'], count: cognito('SignUpSuccesses', 1_000) },
  'Cognito refuses sign-ins beyond its quota': {
    fires: ['SignInsThrottled'],
    count: cognito('SignInThrottles', 1),
  },
  'all users return from Google with an error': {
    fires: ['ProviderSignInFails'],
    count: failedFederation('Google', 2),
    length: HOUR,
  },
  'all users return from GitHub with an error': {
    fires: ['ProviderSignInFails'],
    count: failedFederation('GitHub', 2),
    length: HOUR,
  },
  'GitHub refuses our client secret': {
    fires: ['GitHubSecretRefused'],
    count: own('GitHubSecretRefused', 1),
    periods: 1,
  },
  'a day deletes three times as many accounts as any of the week before': {
    fires: ['IdleJump'],
    count: own('IdleJump', 1),
    periods: 1,
  },
  'the canary fails': { fires: ['SiteDown'], count: own('CanaryFailures', 1) },
  'one mail in two hundred is called spam, and none bounces': {
    fires: ['MailPauseNear', 'MailReputation'],
    count: () => rate('Complaint', 0.005),
    periods: 1,
  },
  'the event catch-up finds a purchase that no webhook told of': {
    fires: ['WebhooksMissing'],
    count() {
      own('StripeEvents', 1)();
      own('WebhooksReceived', 0)();
    },
  },
};

/** The text after _Do_ in an entry of the runbook. */
function stepsOf(entry: string): string {
  const [, text = ''] = runbook.split(`### \`${entry}\`\n`);
  return text.split('\n### ')[0]?.split('\n- Do: ')[1] ?? '';
}

describe('on a game day', () => {
  // Put back what a scenario leaves, also where it has failed.
  afterEach(async ({ task }) => {
    await world.product.storeSecret('stripe', goodKeys);
    if (task.result?.state === 'fail') deployWith({ SITE_URL });
  });

  test.each(scenarios.map((scenario) => [scenario.failure, scenario] as const))('%s', async (_, scenario) => {
    expect(world.firing()).toEqual([]);
    await scenario.cause();
    expect(world.firing()).toEqual(scenario.fires.toSorted());

    const steps = stepsOf(scenario.entry ?? scenario.fires[0]);
    expect(steps).toContain(scenario.look);
    expect(steps).toContain(scenario.do);
    expect([...world.logged()]).toEqual(expect.arrayContaining(scenario.logged ? [scenario.logged] : []));

    await scenario.fix();
    await world.advance(scenario.quietAfter);
    expect(world.firing()).toEqual([]);
  });

  test('each alarm that pages somebody is caused, or AWS’s number for it is put in', () => {
    const tried = new Set([
      ...scenarios.flatMap(({ fires }) => fires),
      ...Object.values(numbers).flatMap(({ fires }) => fires),
    ]);
    expect(world.paging.length).toBeGreaterThan(10);
    expect(world.paging.filter((alarm) => !tried.has(alarm))).toEqual([]);
  });
});

test.each(Object.entries(numbers))('where %s, an alarm fires', async (_, number) => {
  const { fires, count, periods = 3, length } = number;
  const fired: string[][] = [];
  const work = async () => {
    count();
    fired.push(world.firing());
  };
  await inPeriods(periods, work, length);
  expect(fired).toEqual([...Array.from({ length: periods - 1 }, () => []), fires]);
  await world.advance(4 * DAY);
  expect(world.firing()).toEqual([]);
});

test('no alarm fires for one user who fails at GitHub again and again for half an hour', async () => {
  await inPeriods(6, async () => failedFederation('GitHub', 1)());
  expect(world.firing()).toEqual([]);
});

test('no alarm fires for what any stranger can cause: forged webhooks, and refused codes', async () => {
  await inPeriods(4, async () => {
    const headers = { 'stripe-signature': 't=1,v1=forged' };
    expect((await world.ask('stripe-webhook', undefined, { rawBody: '{}', headers })).status).toBe(400);
    await expect(writeMessage('CustomMessage_UpdateUserAttribute')).rejects.toThrow('cannot be changed');
  });
  expect(world.firing()).toEqual([]);
});
