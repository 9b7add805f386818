import type {
  CustomMessageTriggerEvent,
  PostConfirmationTriggerEvent,
  PreSignUpTriggerEvent,
} from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EXPIRY_SHARDS, expiryShard } from '../../../functions/domain/expiry-shard.ts';
import { handledEventTypes } from '../../../functions/domain/handled-event-types.ts';
import { activities } from '../../../infra/costs/activities.ts';
import { api, type RouteName } from '../../../schemas/api.ts';
import { type BackgroundFunction, backgroundFunctions } from '../../../schemas/environment.ts';
import { SIGN_UP_AGAIN } from '../../../schemas/trigger-refusals.ts';
import { signed } from '../../fixtures/billing-world.ts';
import type { Call } from '../../fixtures/http-event.ts';
import { fromCloudFront } from '../../fixtures/origin-key.ts';
import {
  COGNITO_CALLBACK,
  issuerSecret,
  password,
  poolId,
  type RecordedProduct,
  SITE_URL,
  startRecordedProduct,
  type User,
} from '../../fixtures/recorded-product.ts';
import { DAY, HOUR } from '../../fixtures/stripe-stand-in.ts';

let product: RecordedProduct;

beforeAll(async () => {
  product = await startRecordedProduct();
});
afterAll(() => product.stop());
afterEach(() => product.clear());
beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  // The adapters' time limits: on a busy machine, calls that are held could reach them.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

// States of a user.

/** Signed up, and never on the site since. */
const newUser = async (): Promise<User> => {
  const user = await product.signUp();
  await confirm('PostConfirmation_ConfirmSignUp')(user);
  return user;
};
const free = async (): Promise<User> => {
  const user = await newUser();
  await product.ask('plan', user);
  return user;
};
const freeAgain = async (): Promise<User> => {
  const user = await free();
  await product.advance(HOUR);
  return product.signIn(user);
};
const withoutRow = () => product.signUp();
const withOpenCheckout = async (): Promise<User> => {
  const user = await free();
  await product.openCheckout(user);
  return user;
};
const withPaidCheckout = async (card?: string): Promise<User> => {
  const user = await free();
  await product.pay(await product.openCheckout(user), card);
  return user;
};
const sessionOf = async (user: User): Promise<string> =>
  String((await product.rowOf(user))?.['checkout_session_id']);
const showPlus = async (user: User): Promise<User> => {
  await product.ask('session-status', user, { query: { session_id: await sessionOf(user) } });
  return user;
};
const plus = async (card?: string): Promise<User> => showPlus(await withPaidCheckout(card));
const newestSubscriptionOf = async (user: User): Promise<string> =>
  String((await product.subscriptionsOf(user))[0]?.id);
const ending = async (): Promise<User> => {
  const user = await plus();
  await product.ask('cancel-subscription', user, {
    body: { subscription_id: await newestSubscriptionOf(user) },
  });
  return user;
};
const endingByThePortal = async (): Promise<User> => {
  const user = await plus();
  const cancel_at = Math.floor(Date.now() / 1000) + 10 * 86_400;
  await product.stripe.stripe.subscriptions.update(await newestSubscriptionOf(user), { cancel_at });
  return user;
};
/** 32 days later, in a new session that has been on the site. */
const aMonthLater = async (user: User): Promise<User> => {
  await product.advance(32 * DAY);
  const later = await product.signIn(user);
  await product.changeRow(later, { last_sign_in_at: new Date().toISOString() });
  return later;
};
const expired = async () => aMonthLater(await ending());
/** Each hour, the sweep begins with another shard. */
const expiredInTheLastShard = async (): Promise<User> => {
  const user = await expired();
  const hour = Math.floor(Date.now() / HOUR);
  const first = (expiryShard(user.id) + 1) % EXPIRY_SHARDS;
  await product.advance(((first - (hour % EXPIRY_SHARDS) + EXPIRY_SHARDS) % EXPIRY_SHARDS) * HOUR);
  return user;
};
/** The renewal of the portal was not heard of. */
const expiredAndRenewed = async (): Promise<User> => {
  const user = await ending();
  await product.stripe.stripe.subscriptions.update(await newestSubscriptionOf(user), {
    cancel_at_period_end: false,
  });
  return aMonthLater(user);
};
const pastDue = async () => aMonthLater(await plus('4000 0000 0000 0341'));
/** The end of the subscription was not heard of, nor what it left open. */
const endedUnpaid = async (): Promise<User> => {
  const user = await pastDue();
  await product.stripe.stripe.subscriptions.cancel(await newestSubscriptionOf(user));
  return user;
};
/** Plus ended, and its end was heard of. */
const ended = async (): Promise<User> => {
  const user = await plus();
  await product.stripe.stripe.subscriptions.cancel(await newestSubscriptionOf(user));
  await hear('customer.subscription.deleted')(user);
  return user;
};
/** Plus ended three hours ago, and its end was not heard of. Nothing else ended in the days before. */
const endedUnheard = async (): Promise<User> => {
  await product.advance(3 * DAY);
  const user = await plus();
  await product.stripe.stripe.subscriptions.cancel(await newestSubscriptionOf(user));
  await product.advance(3 * HOUR);
  return user;
};
/** A second checkout that was paid too, as by a link that support had sent. Its session is in the row. */
const withDuplicate = async (): Promise<User> => {
  const user = await plus();
  const row = await product.rowOf(user);
  const [first] = await product.subscriptionsOf(user);
  const metadata = { user_id: user.id };
  const session = await product.stripe.stripe.checkout.sessions.create({
    mode: 'subscription',
    ui_mode: 'embedded_page',
    customer: String(row?.['billing_customer_id']),
    line_items: [{ price: String(first?.items.data[0]?.price.id), quantity: 1 }],
    return_url: `${SITE_URL}/checkout/return?session_id={CHECKOUT_SESSION_ID}`,
    metadata,
    subscription_data: { metadata },
  });
  await product.pay(session.id);
  await product.changeRow(user, { checkout_session_id: session.id });
  return user;
};
const complimentary = async (): Promise<User> => {
  const user = await free();
  await product.changeRow(user, { plan: 'plus' });
  return user;
};
const complimentaryEnding = async (): Promise<User> => {
  const user = await complimentary();
  await product.ask('cancel-subscription', user, { body: { subscription_id: null } });
  return user;
};
const complimentaryExpired = async () => aMonthLater(await complimentaryEnding());
const closing = async (): Promise<User> => {
  const user = await free();
  await product.changeRow(user, { closing_until: new Date(Date.now() + HOUR).toISOString() });
  return user;
};
const onWaitlist = async (): Promise<User> => {
  const user = await free();
  await product.putOnWaitlist(user);
  return user;
};
const plusOnWaitlist = async (): Promise<User> => {
  const user = await plus();
  await product.putOnWaitlist(user);
  return user;
};
/** The token is still valid, and its session has ended. */
const signedOut = async (given: () => Promise<User> = free): Promise<User> => {
  const user = await given();
  await product.cognito.call('GlobalSignOut', { AccessToken: user.token });
  return user;
};
const signedInElevenMinutesAgo = async (): Promise<User> => {
  const user = await free();
  return { ...user, authTime: user.authTime - 660 };
};
const withUpdatedCard = async (): Promise<User> => {
  const user = await plus();
  await updateCard(user);
  return user;
};
/** The customer's metadata still names the user. */
const paidWithoutRow = async (): Promise<User> => {
  const user = await withPaidCheckout();
  const customer = String((await product.rowOf(user))?.['billing_customer_id']);
  await product.removeRow(user);
  return { ...user, customer };
};
const goneFromThePool = async (): Promise<User> => {
  const user = await plus();
  await product.cognito.call('DeleteUser', { AccessToken: user.token });
  return user;
};

const changedPassword = async (): Promise<User> => {
  const user = await free();
  await product.changeRow(user, { password_mail_at: new Date(Date.now() - 60_000).toISOString() });
  return user;
};
const unconfirmed = () => product.beginSignUp();
const unconfirmedForTwoDays = async (): Promise<User> => {
  const user = await unconfirmed();
  await product.advance(2 * DAY);
  return user;
};
const addressLeftOver = async (): Promise<User> => {
  const user = await withoutRow();
  await product.giveAddress(user, 'deleted-without-release');
  return user;
};
const addressOfAnother = async (): Promise<User> => {
  const user = await withoutRow();
  await product.giveAddress(user, product.makeProviderAccount(user));
  return user;
};

// What is asked of the functions.

/** Resolves with the status of the answer. */
type Act = (user: User) => Promise<number | undefined>;

const ask =
  (name: RouteName, requestOf: (user: User) => Call | Promise<Call> = () => ({})): Act =>
  async (user) =>
    (await product.ask(name, user, await requestOf(user))).status;

const readPlan = ask('plan');
/** `userId`: of the body; by default the caller's. */
const buyFor = (userId?: string): Act =>
  ask('create-checkout-session', ({ id, email }) => ({
    body: { planName: 'plus', userId: userId ?? id, userEmail: email },
  }));
const buy = buyFor();
const returnFromCheckout = ask('session-status', async (user) => ({
  query: { session_id: await sessionOf(user) },
}));
const cancel = ask('cancel-subscription', async (user) => ({
  body: { subscription_id: await newestSubscriptionOf(user) },
}));
const cancelComplimentary = ask('cancel-subscription', () => ({ body: { subscription_id: null } }));
const renew = ask('renew-subscription', () => ({ body: {} }));
const readBilling = ask('billing');
const updateCard = ask('update-card', () => ({ body: {} }));
const readExport = ask('export');
const changePassword = (currentPassword: string) =>
  ask('change-password', () => ({ body: { currentPassword, newPassword: 'correct horse 2' } }));
const deleteAccount = ask('delete-account', () => ({ body: {} }));
const newAddressOf = ({ email }: User) => email.replace('user-', 'new-');
const changeEmail = (newEmail: (user: User) => string = newAddressOf) =>
  ask('change-email', (user) => ({ body: { newEmail: newEmail(user) } }));
const confirmEmail = (code?: string) =>
  ask('confirm-email', (user) => ({
    body: { code: code ?? /\b\d{6}\b/.exec(product.mailTo(newAddressOf(user)))?.[0] },
  }));
const undoEmail: Act = async ({ email }) => {
  const token = /undo-email#(\S+)/.exec(product.mailTo(email))?.[1] ?? `ada.${'a'.repeat(43)}`;
  return (await product.ask('undo-email', undefined, { body: { token } })).status;
};
/** Has asked for another address, and has its code. */
const withCode = async (given: () => Promise<User> = free): Promise<User> => {
  const user = await given();
  await changeEmail()(user);
  return user;
};
const withOtherAddress = async (given: () => Promise<User> = free): Promise<User> => {
  const user = await withCode(given);
  await confirmEmail()(user);
  return user;
};
const joinWaitlist: Act = async ({ email }) =>
  (await product.ask('waitlist', undefined, { body: { email, name: 'Ada' } })).status;

/** An event about an object of the user's customer. `names`: whether its metadata names the user. */
const eventFor = async ({ id, customer }: User, type: string, names: boolean): Promise<object> => {
  const customerId = customer ?? String((await product.rowOf({ id }))?.['billing_customer_id']);
  const isCustomer = type === 'customer.deleted';
  return {
    id: 'evt_1',
    object: 'event',
    type,
    created: Math.floor(Date.now() / 1000),
    data: {
      object: {
        ...(isCustomer ? { object: 'customer', id: customerId } : { object: 'object', customer: customerId }),
        metadata: names ? { user_id: id } : {},
      },
    },
  };
};
const deliver = async (event: object, secret?: string): Promise<number | undefined> => {
  const { body, headers } = signed(event, secret === undefined ? {} : { secret });
  const request = { rawBody: body, headers: { 'stripe-signature': String(headers['stripe-signature']) } };
  return (await product.ask('stripe-webhook', undefined, request)).status;
};
/** Metadata names the user on everything that the site sells. */
const hear =
  (type: string): Act =>
  async (user) =>
    deliver(await eventFor(user, type, true));
/** Support sold it: only the customer's metadata names the user. */
const hearOfCustomer =
  (type: string): Act =>
  async (user) =>
    deliver(await eventFor(user, type, false));
const hearForged: Act = () => deliver({}, 'whsec_other');
/** A signature that fits no secret leads to a reading of the secret, once a minute. */
const afterAMinute = async (): Promise<User> => {
  await product.advance(60_000);
  return nobody();
};
const afterForged = async (): Promise<User> => {
  const user = await afterAMinute();
  await hearForged(user);
  return user;
};

/** Resolves with 200, and with 400 if the trigger refuses. */
const trigger = async (name: BackgroundFunction, event: object): Promise<number> =>
  product.run(name, { userPoolId: poolId, response: {}, ...event }).then(
    () => 200,
    () => 400,
  );
type Source<E extends { triggerSource: string }> = E['triggerSource'];
const confirm =
  (triggerSource: Source<PostConfirmationTriggerEvent>): Act =>
  ({ id, email }) =>
    trigger('triggers/post-confirmation', {
      triggerSource,
      userName: id,
      request: { userAttributes: { sub: id, email, email_verified: 'true' } },
    });
const signUp =
  (triggerSource: Source<PreSignUpTriggerEvent>): Act =>
  ({ email }) =>
    trigger('triggers/pre-sign-up', {
      triggerSource,
      // Another identity at GitHub for each address.
      userName: `github_${email.replaceAll(/\D/g, '')}`,
      request: {
        userAttributes: { email, email_verified: 'true', name: 'Ada' },
      },
    });
const writeMessage =
  (triggerSource: Source<CustomMessageTriggerEvent>, clientMetadata = {}): Act =>
  ({ id, email }) =>
    trigger('triggers/custom-message', {
      triggerSource,
      userName: id,
      request: { codeParameter: '{####}', userAttributes: { email }, clientMetadata },
    });
const returnMail = (tags: Record<string, string[]>): Promise<number> =>
  trigger('events/returned-mail', {
    source: 'aws.ses',
    detail: { eventType: 'Bounce', bounce: { bounceType: 'Permanent' }, mail: { messageId: '1', tags } },
  });

/** The rows of each of a trigger's sources. */
type Sources<E extends { triggerSource: string }> = { [S in Source<E>]: (source: S) => Row[] };
const rowsOf = (sources: Record<string, (source: never) => Row[]>): Row[] =>
  Object.entries(sources).flatMap(([source, rows]) => rows(source as never));

const nobody = async (): Promise<User> => ({ id: '', email: '', token: '', authTime: 0 });
/** Has an address, and no account. */
const stranger = async (): Promise<User> => ({ ...(await nobody()), email: 'stranger-0@example.com' });

const runSchedule =
  (name: BackgroundFunction, event?: unknown): Act =>
  async () => {
    await product.run(name, event);
    return 200;
  };
const countUnpaid = runSchedule('schedules/unpaid-plus', { days: 1 });
const sweepIdle = runSchedule('schedules/idle-accounts', { task: 'sweep' });
/** In the shard that is asked last today. */
const idle = (given: () => Promise<User>, warnings: number) => async (): Promise<User> => {
  const user = await given();
  const day = Math.floor(Date.now() / DAY);
  await product.changeRow(user, {
    idle_due_at: new Date(Date.now() - HOUR).toISOString(),
    idle_shard: (day + EXPIRY_SHARDS - 1) % EXPIRY_SHARDS,
    idle_warnings: warnings,
  });
  return user;
};
/** Leaves no event to be read again: each catch-up reads the last ten minutes twice. */
const caughtUp =
  (given: () => Promise<User>): (() => Promise<User>) =>
  async () => {
    await product.advance(HOUR);
    await product.run('schedules/event-catch-up');
    await product.advance(HOUR);
    await product.run('schedules/event-catch-up');
    const user = await given();
    await product.advance(60_000);
    return user;
  };

/** Does the tasks that rows before have left. */
const noTasks =
  (given: () => Promise<User>): (() => Promise<User>) =>
  async () => {
    await product.advance(2 * HOUR);
    await product.run('schedules/billing-tasks');
    return given();
  };

const missedAnHourAgo = async (): Promise<User> => {
  const user = await goneFromThePool();
  await hear('invoice.upcoming')(user);
  await product.advance(HOUR + 60_000);
  return user;
};

// A sign-in with GitHub: each step is asked with what the step before handed out.
interface StepAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body?: string;
}
type AskStep = () => Promise<StepAnswer>;
const step = async (
  name: string,
  {
    method = 'GET',
    query = {},
    rawBody,
    headers = {},
    cookies,
  }: Call & { method?: string; cookies?: string[] } = {},
): Promise<StepAnswer> => {
  const handler = await product.handlerOf('github-oidc');
  return (await handler({
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...fromCloudFront, ...headers },
    cookies,
    body: rawBody,
    pathParameters: { step: name },
    requestContext: { requestId: 'request', http: { method } },
  })) as StepAnswer;
};
const authorize: AskStep = () =>
  step('authorize', {
    query: {
      client_id: 'cognito',
      redirect_uri: COGNITO_CALLBACK,
      response_type: 'code',
      scope: 'openid',
      state: 'state',
    },
  });
const callback = async (): Promise<AskStep> => {
  const { headers, cookies } = await authorize();
  const back = product.github.authorize(String(headers['location']));
  const cookie = String(cookies?.[0]?.split(';')[0]);
  return () => step('callback', { query: Object.fromEntries(back.searchParams), cookies: [cookie] });
};
const token = async (): Promise<AskStep> => {
  const { headers } = await (await callback())();
  const code = new URL(String(headers['location'])).searchParams.get('code') ?? '';
  return () =>
    step('token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      rawBody: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: COGNITO_CALLBACK,
        client_id: 'cognito',
        client_secret: issuerSecret.clientSecret,
      }).toString(),
    });
};
const userinfo = async (): Promise<AskStep> => {
  const { body } = await (await token())();
  const { access_token } = JSON.parse(String(body)) as { access_token: string };
  return () => step('userinfo', { headers: { authorization: `Bearer ${access_token}` } });
};

interface Row {
  state: string;
  given: () => Promise<User>;
  act: Act;
  answers: number;
  /** A line for each wave: calls of a line are made at once (`a + b`), the lines one after the other. */
  calls: string[];
}
const row = (state: string, given: () => Promise<User>, act: Act, answers: number, calls: string[]): Row => ({
  state,
  given,
  act,
  answers,
  calls,
});
/** The same call of every shard, one after the other: nobody waits, and a page is read when it is needed. */
const eachShard = (name: string): string[] => Array.from({ length: EXPIRY_SHARDS }, () => name);
/** A step is asked with what the steps before it handed out. */
const stepRow = (name: string, prepare: () => Promise<AskStep>, answers: number, calls: string[]): Row => {
  let askStep: AskStep;
  return row(
    name,
    async () => {
      askStep = await prepare();
      return nobody();
    },
    async () => (await askStep()).statusCode,
    answers,
    calls,
  );
};

// Without the canary, which the local world's stage doesn't have, and the export, which asks for each part of
// the pool.
const unlisted = ['schedules/canary', 'schedules/user-export'] as const;
type FunctionName = Exclude<RouteName | BackgroundFunction, (typeof unlisted)[number]>;
const SECRET = 'SecretsManager GetSecretValue';

/**
 * What every function asks of the services in each state of its user, in a warm execution environment. Why
 * some calls are there, and why some wait for another:
 *
 * - Cognito GetUser: a session that has ended is refused. It is asked while the row is read, and before
 *   anything else. A second one is for accounts that are deleted meanwhile: before a missing row is created,
 *   and after a new customer is in the row, because a concurrent GET /plan may have created the row again.
 * - GetItem, then GET /v1/subscriptions: the older of two decisions loses by the version that was read before
 *   Stripe was asked. Read at once, an older answer of Stripe could win.
 * - UpdateItem of a webhook or a sweep where the plan stays the same: it makes a concurrent decision from an
 *   older read lose.
 * - GET /v1/checkout/sessions/:id, then GET /v1/subscriptions: a session that is paid in between shows as a
 *   subscription.
 * - POST …/expire, then GET /v1/subscriptions: after it, nothing can be bought any more.
 * - Twice GET /v1/invoices: the second one sees what was paid while it was being voided.
 * - UpdateItem before DeleteUser: a deletion that crashes afterwards leaves a row with nothing but an id.
 */
const table: Record<FunctionName, Row[]> = {
  plan: [
    row('Free', free, readPlan, 200, ['GetItem UserPlans']),
    row('Free, first visit since a sign-in', freeAgain, readPlan, 200, [
      'GetItem UserPlans',
      'UpdateItem UserPlans',
    ]),
    row('no row', withoutRow, readPlan, 200, ['GetItem UserPlans', 'Cognito GetUser', 'PutItem UserPlans']),
    row('no row, the session has ended', () => signedOut(withoutRow), readPlan, 401, [
      'GetItem UserPlans',
      'Cognito GetUser',
    ]),
    row('Plus', plus, readPlan, 200, ['GetItem UserPlans']),
    row('Plus, the session has ended', () => signedOut(plus), readPlan, 200, ['GetItem UserPlans']),
    row('ending', ending, readPlan, 200, ['GetItem UserPlans']),
    row('expired', expired, readPlan, 200, [
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/subscriptions/:id',
    ]),
    row('expired, but renewed in the portal', expiredAndRenewed, readPlan, 200, [
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ]),
    row('past due', pastDue, readPlan, 200, ['GetItem UserPlans']),
    row('complimentary', complimentary, readPlan, 200, ['GetItem UserPlans']),
    row('complimentary, expired', complimentaryExpired, readPlan, 200, [
      'GetItem UserPlans',
      'UpdateItem UserPlans',
    ]),
    row('closing', closing, readPlan, 200, ['GetItem UserPlans']),
  ],
  'create-checkout-session': [
    row('Free, never bought', free, buy, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe POST /v1/customers',
      'UpdateItem UserPlans',
      'Cognito GetUser + Stripe POST /v1/checkout/sessions',
      'UpdateItem UserPlans',
    ]),
    row('Free, a checkout is open', withOpenCheckout, buy, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
    ]),
    row('Free, Plus has ended', ended, buy, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/checkout/sessions',
      'UpdateItem UserPlans',
    ]),
    row('no row', withoutRow, buy, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Cognito GetUser',
      'PutItem UserPlans',
      'Stripe POST /v1/customers',
      'UpdateItem UserPlans',
      'Cognito GetUser + Stripe POST /v1/checkout/sessions',
      'UpdateItem UserPlans',
    ]),
    row('paid, unheard of', withPaidCheckout, buy, 409, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ]),
    row('Plus', plus, buy, 409, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
    ]),
    row('ending', ending, buy, 409, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
    ]),
    row('past due', pastDue, buy, 409, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
    ]),
    row('complimentary', complimentary, buy, 409, ['Cognito GetUser + GetItem UserPlans']),
    row('complimentary, ending', complimentaryEnding, buy, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe POST /v1/customers',
      'UpdateItem UserPlans',
      'Cognito GetUser + Stripe POST /v1/checkout/sessions',
      'UpdateItem UserPlans',
    ]),
    row('closing', closing, buy, 409, ['Cognito GetUser + GetItem UserPlans']),
    row('the session has ended', () => signedOut(), buy, 401, ['Cognito GetUser + GetItem UserPlans']),
    row('an id that is not the caller’s', free, buyFor('eve'), 403, ['Cognito GetUser + GetItem UserPlans']),
  ],
  'session-status': [
    row('open', withOpenCheckout, returnFromCheckout, 200, [
      'GetItem UserPlans + Stripe GET /v1/checkout/sessions/:id',
    ]),
    row('paid, unheard of', withPaidCheckout, returnFromCheckout, 200, [
      'GetItem UserPlans + Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ]),
    row('paid, Plus', plus, returnFromCheckout, 200, [
      'GetItem UserPlans + Stripe GET /v1/checkout/sessions/:id',
    ]),
    row('paid, with a duplicate', withDuplicate, returnFromCheckout, 200, [
      'GetItem UserPlans + Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe GET /v1/invoice_payments',
      'Stripe POST /v1/refunds',
      'Stripe DELETE /v1/subscriptions/:id',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/subscriptions/:id',
    ]),
    row(
      'unknown',
      free,
      ask('session-status', () => ({ query: { session_id: 'cs_test_none' } })),
      404,
      ['GetItem UserPlans + Stripe GET /v1/checkout/sessions/:id'],
    ),
  ],
  'cancel-subscription': [
    row('Plus', plus, cancel, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/subscriptions/:id',
      'UpdateItem UserPlans',
    ]),
    row('Plus, cancelled in the portal', endingByThePortal, cancel, 409, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ]),
    row('past due', pastDue, cancel, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'Stripe DELETE /v1/subscriptions/:id',
      'UpdateItem UserPlans',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/invoices/:id/void',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/subscriptions/:id',
    ]),
    row('complimentary', complimentary, cancelComplimentary, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'UpdateItem UserPlans',
    ]),
    row('complimentary, ending', complimentaryEnding, cancelComplimentary, 409, [
      'Cognito GetUser + GetItem UserPlans',
    ]),
    row('ending', ending, cancel, 409, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
    ]),
    row('Free', free, cancelComplimentary, 404, ['Cognito GetUser + GetItem UserPlans']),
    row('the session has ended', () => signedOut(), cancelComplimentary, 401, [
      'Cognito GetUser + GetItem UserPlans',
    ]),
  ],
  'renew-subscription': [
    row('ending', ending, renew, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/subscriptions/:id',
      'UpdateItem UserPlans',
    ]),
    row('Plus, cancelled in the portal', endingByThePortal, renew, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
      'Stripe POST /v1/subscriptions/:id',
      'UpdateItem UserPlans',
    ]),
    row('Plus', plus, renew, 409, ['Cognito GetUser + GetItem UserPlans', 'Stripe GET /v1/subscriptions']),
    row('Free', free, renew, 409, ['Cognito GetUser + GetItem UserPlans']),
    row('the session has ended', () => signedOut(), renew, 401, ['Cognito GetUser + GetItem UserPlans']),
  ],
  billing: [
    row('Free, never bought', free, readBilling, 200, ['Cognito GetUser + GetItem UserPlans']),
    row('Plus', plus, readBilling, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/charges + Stripe GET /v1/invoices + Stripe GET /v1/subscriptions',
    ]),
    row('the session has ended', () => signedOut(), readBilling, 401, [
      'Cognito GetUser + GetItem UserPlans',
    ]),
  ],
  'update-card': [
    row('Plus', plus, updateCard, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/customers/:id',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe POST /v1/billing_portal/sessions',
    ]),
    row('Plus, updated before', withUpdatedCard, updateCard, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/billing_portal/sessions',
    ]),
    row('Free, never bought', free, updateCard, 404, ['Cognito GetUser + GetItem UserPlans']),
    row('the session has ended', () => signedOut(), updateCard, 401, ['Cognito GetUser + GetItem UserPlans']),
  ],
  'change-password': [
    row('the right password', free, changePassword(password), 200, [
      'Cognito GetUser',
      'Cognito ChangePassword',
      'Cognito GlobalSignOut',
      'UpdateItem UserPlans',
      'SES SendEmail',
    ]),
    row('changed a minute ago', changedPassword, changePassword(password), 200, [
      'Cognito GetUser',
      'Cognito ChangePassword',
      'Cognito GlobalSignOut',
      'UpdateItem UserPlans',
    ]),
    row('a wrong password', free, changePassword('wrong horse 1'), 403, [
      'Cognito GetUser',
      'Cognito ChangePassword',
      'Cognito GetUser',
    ]),
    row('the session has ended', () => signedOut(), changePassword(password), 401, ['Cognito GetUser']),
  ],
  'change-email': [
    row('another address', free, changeEmail(), 200, [
      'Cognito GetUser',
      'GetItem AddressChanges',
      'PutItem AddressChanges',
      'SES GetSuppressedDestination',
      'Cognito AdminGetUser + GetItem Addresses',
      'SES SendEmail',
    ]),
    row(
      'the same address',
      free,
      changeEmail(({ email }) => email),
      409,
      ['Cognito GetUser'],
    ),
    row('the session has ended', () => signedOut(), changeEmail(), 401, ['Cognito GetUser']),
    row('signed in eleven minutes ago', signedInElevenMinutesAgo, changeEmail(), 403, ['Cognito GetUser']),
  ],
  // Each step waits for the one before: what is not proved and told is not changed. The item is read on both
  // sides of the pool's write, and before what follows: an undo may have named another address.
  'confirm-email': [
    row('Free, never bought', withCode, confirmEmail(), 200, [
      'Cognito GetUser + GetItem UserPlans',
      'GetItem AddressChanges',
      'Cognito AdminGetUser + GetItem Addresses',
      'PutItem AddressChanges',
      'SES SendEmail',
      'Cognito AdminGetUser',
      'PutItem Addresses',
      'GetItem AddressChanges',
      'Cognito AdminUpdateUserAttributes',
      'PutItem Addresses',
      'GetItem AddressChanges',
      'Cognito GlobalSignOut',
      'GetItem AddressChanges',
      'DeleteItem Addresses + GetItem Waitlist',
    ]),
    row('Plus, and on the waitlist', () => withCode(plusOnWaitlist), confirmEmail(), 200, [
      'Cognito GetUser + GetItem UserPlans',
      'GetItem AddressChanges',
      'Cognito AdminGetUser + GetItem Addresses',
      'PutItem AddressChanges',
      'SES SendEmail',
      'UpdateItem StripeWork',
      'Cognito AdminGetUser',
      'PutItem Addresses',
      'GetItem AddressChanges',
      'Cognito AdminUpdateUserAttributes',
      'PutItem Addresses',
      'GetItem AddressChanges',
      'Cognito GlobalSignOut',
      'GetItem AddressChanges',
      'DeleteItem Addresses + GetItem Waitlist + Stripe POST /v1/customers/:id',
      'PutItem Waitlist',
      'DeleteItem Waitlist',
    ]),
    row('a wrong code', withCode, confirmEmail('1'.repeat(6)), 403, [
      'Cognito GetUser + GetItem UserPlans',
      'GetItem AddressChanges',
      'PutItem AddressChanges',
    ]),
    row('no code was sent', free, confirmEmail('1'.repeat(6)), 409, [
      'Cognito GetUser + GetItem UserPlans',
      'GetItem AddressChanges',
    ]),
    row('the session has ended', () => signedOut(), confirmEmail('1'.repeat(6)), 401, [
      'Cognito GetUser + GetItem UserPlans',
    ]),
  ],
  // Nobody can sign in between the third call and AdminEnableUser.
  'undo-email': [
    row('Plus, and on the waitlist', () => withOtherAddress(plusOnWaitlist), undoEmail, 200, [
      'GetItem AddressChanges',
      'Cognito AdminGetUser',
      'PutItem AddressChanges',
      'Cognito AdminSetUserPassword',
      'Cognito AdminUserGlobalSignOut',
      'Cognito AdminDisableUser',
      'Cognito AdminGetUser',
      'PutItem Addresses',
      'GetItem AddressChanges',
      'Cognito AdminUpdateUserAttributes',
      'PutItem Addresses',
      'GetItem AddressChanges',
      'Cognito AdminGetUser',
      'Cognito AdminEnableUser',
      'Cognito AdminResetUserPassword',
      'Cognito AdminSetUserPassword',
      'Cognito AdminUserGlobalSignOut',
      'Cognito AdminGetUser',
      'GetItem UserPlans',
      'GetItem AddressChanges + SES SendEmail',
      'DeleteItem Addresses + GetItem Waitlist + Stripe POST /v1/customers/:id',
      'PutItem Waitlist',
      'DeleteItem Waitlist',
      'GetItem AddressChanges',
      'PutItem AddressChanges',
    ]),
    row('an unknown token', free, undoEmail, 410, ['GetItem AddressChanges']),
  ],
  export: [
    row('Free, never bought', free, readExport, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'GetItem AddressChanges + GetItem Waitlist',
    ]),
    row('Plus', plus, readExport, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'GetItem AddressChanges + GetItem Waitlist + Stripe GET /v1/charges + Stripe GET /v1/invoices + Stripe GET /v1/subscriptions',
    ]),
    row('on the waitlist', onWaitlist, readExport, 200, [
      'Cognito GetUser + GetItem UserPlans',
      'GetItem AddressChanges + GetItem Waitlist',
    ]),
    row('the session has ended', () => signedOut(), readExport, 401, ['Cognito GetUser + GetItem UserPlans']),
  ],
  'delete-account': [
    row('Free, never bought', free, deleteAccount, 200, [
      'Cognito GetUser',
      'UpdateItem UserPlans',
      'UpdateItem UserPlans',
      'Cognito DeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('Free, a checkout is open', withOpenCheckout, deleteAccount, 200, [
      'Cognito GetUser',
      'UpdateItem UserPlans',
      'Stripe POST /v1/checkout/sessions/:id/expire',
      'Stripe GET /v1/subscriptions',
      'Stripe DELETE /v1/customers/:id',
      'UpdateItem UserPlans',
      'Cognito DeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('Plus', plus, deleteAccount, 200, [
      'Cognito GetUser',
      'UpdateItem UserPlans',
      'Stripe POST /v1/checkout/sessions/:id/expire',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'Stripe DELETE /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe DELETE /v1/customers/:id',
      'UpdateItem UserPlans',
      'Cognito DeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('Plus, with a duplicate', withDuplicate, deleteAccount, 200, [
      'Cognito GetUser',
      'UpdateItem UserPlans',
      'Stripe POST /v1/checkout/sessions/:id/expire',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe GET /v1/invoice_payments',
      'Stripe POST /v1/refunds',
      'Stripe DELETE /v1/subscriptions/:id',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe DELETE /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe DELETE /v1/customers/:id',
      'UpdateItem UserPlans',
      'Cognito DeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('past due', pastDue, deleteAccount, 200, [
      'Cognito GetUser',
      'UpdateItem UserPlans',
      'Stripe POST /v1/checkout/sessions/:id/expire',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'Stripe DELETE /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/invoices/:id/void',
      'Stripe GET /v1/invoices',
      'Stripe DELETE /v1/customers/:id',
      'UpdateItem UserPlans',
      'Cognito DeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('no row', withoutRow, deleteAccount, 200, [
      'Cognito GetUser',
      'UpdateItem UserPlans',
      'UpdateItem UserPlans',
      'Cognito DeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('the session has ended', () => signedOut(), deleteAccount, 401, ['Cognito GetUser']),
    row('signed in eleven minutes ago', signedInElevenMinutesAgo, deleteAccount, 403, ['Cognito GetUser']),
  ],
  waitlist: [
    row('a new address', free, joinWaitlist, 201, ['PutItem Waitlist']),
    row('on the waitlist', onWaitlist, joinWaitlist, 409, ['PutItem Waitlist']),
  ],
  'csp-report': [
    row(
      'a report',
      nobody,
      ask('csp-report', () => ({ body: [] })),
      200,
      [],
    ),
  ],
  'github-oidc': [
    stepRow('authorize', async () => authorize, 302, []),
    stepRow('callback', callback, 302, []),
    stepRow('token', token, 200, [
      'GitHub POST /login/oauth/access_token',
      'GitHub GET /user + GitHub GET /user/emails',
      'KMS Sign',
    ]),
    stepRow('userinfo', userinfo, 200, []),
    stepRow('jwks', async () => () => step('jwks'), 200, []),
  ],
  'stripe-webhook': [
    ...[...handledEventTypes]
      .filter((type) => type !== 'invoice.upcoming')
      .map((type) =>
        row(type, withPaidCheckout, hear(type), 200, [
          'GetItem UserPlans',
          'Stripe GET /v1/subscriptions',
          'UpdateItem UserPlans',
        ]),
      ),
    row('invoice.paid, Plus', plus, hear('invoice.paid'), 200, [
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ]),
    row('invoice.paid, no row', paidWithoutRow, hearOfCustomer('invoice.paid'), 200, [
      'Stripe GET /v1/customers/:id',
      'GetItem UserPlans',
    ]),
    row('customer.subscription.deleted, unpaid', endedUnpaid, hear('customer.subscription.deleted'), 200, [
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/invoices/:id/void',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/subscriptions/:id',
    ]),
    row(
      'customer.subscription.updated, by support',
      plus,
      hearOfCustomer('customer.subscription.updated'),
      200,
      [
        'Stripe GET /v1/customers/:id',
        'GetItem UserPlans',
        'Stripe GET /v1/subscriptions',
        'UpdateItem UserPlans',
      ],
    ),
    row('checkout.session.completed, a duplicate', withDuplicate, hear('checkout.session.completed'), 200, [
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe GET /v1/invoice_payments',
      'Stripe POST /v1/refunds',
      'Stripe DELETE /v1/subscriptions/:id',
      'Stripe POST /v1/subscriptions/:id',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/subscriptions/:id',
    ]),
    row('invoice.upcoming', plus, hear('invoice.upcoming'), 200, [
      'Stripe GET /v1/customers/:id',
      'Cognito AdminGetUser',
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ]),
    row('invoice.upcoming, gone from the pool', goneFromThePool, hear('invoice.upcoming'), 200, [
      'Stripe GET /v1/customers/:id',
      'Cognito AdminGetUser',
      'Cognito ListUsers',
      'UpdateItem StripeWork',
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
    ]),
    row('a type that decides no plan', plus, hear('charge.succeeded'), 200, []),
    row('a forged signature', afterAMinute, hearForged, 400, [SECRET]),
    row('another forged signature within a minute', afterForged, hearForged, 400, []),
  ],
  'schedules/expiry-sweep': [
    row('nothing is due', nobody, runSchedule('schedules/expiry-sweep'), 200, [
      ...eachShard('Query UserPlans by_expiry'),
    ]),
    row('one plan has expired', expiredInTheLastShard, runSchedule('schedules/expiry-sweep'), 200, [
      ...eachShard('Query UserPlans by_expiry'),
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
      'Stripe GET /v1/invoices',
      'Stripe POST /v1/subscriptions/:id',
    ]),
  ],
  'schedules/event-catch-up': [
    row('no event', caughtUp(nobody), runSchedule('schedules/event-catch-up'), 200, [
      'GetItem StripeWork',
      'Stripe GET /v1/events',
      'PutItem StripeWork',
    ]),
    row('one customer has paid', caughtUp(withPaidCheckout), runSchedule('schedules/event-catch-up'), 200, [
      'GetItem StripeWork',
      'Stripe GET /v1/events',
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
      'UpdateItem UserPlans',
      'PutItem StripeWork',
    ]),
  ],
  'schedules/unpaid-plus': [
    row('nothing has ended', () => product.advance(3 * DAY).then(nobody), countUnpaid, 200, [
      'Stripe GET /v1/events',
    ]),
    row('one has ended, and the row says Plus', endedUnheard, countUnpaid, 200, [
      'Stripe GET /v1/events',
      'GetItem UserPlans',
      'Stripe GET /v1/subscriptions',
    ]),
  ],
  'schedules/unconfirmed-sweep': [
    row('nobody is unconfirmed', nobody, runSchedule('schedules/unconfirmed-sweep'), 200, [
      'Cognito ListUsers',
    ]),
    row('one is due', unconfirmedForTwoDays, runSchedule('schedules/unconfirmed-sweep'), 200, [
      'Cognito ListUsers',
      'Cognito AdminGetUser',
      'PutItem Addresses',
      'Cognito AdminDeleteUser',
      'DeleteItem Addresses',
    ]),
  ],
  'schedules/billing-tasks': [
    row('nothing is due', noTasks(nobody), runSchedule('schedules/billing-tasks'), 200, ['Query StripeWork']),
    row(
      'a user is missing for the second time',
      noTasks(missedAnHourAgo),
      runSchedule('schedules/billing-tasks'),
      200,
      [
        'Query StripeWork',
        'Stripe GET /v1/customers/:id',
        'Cognito AdminGetUser',
        'Cognito ListUsers',
        'UpdateItem UserPlans',
        'Stripe POST /v1/checkout/sessions/:id/expire',
        'Stripe GET /v1/checkout/sessions/:id',
        'Stripe GET /v1/subscriptions',
        'Stripe DELETE /v1/subscriptions/:id',
        'Stripe GET /v1/invoices',
        'Stripe DELETE /v1/customers/:id',
        'DeleteItem UserPlans',
        'DeleteItem StripeWork',
      ],
    ),
  ],
  'schedules/idle-accounts': [
    row('nothing is due', nobody, sweepIdle, 200, eachShard('Query UserPlans by_idle')),
    row('to be warned', idle(free, 0), sweepIdle, 200, [
      ...eachShard('Query UserPlans by_idle'),
      'GetItem UserPlans',
      'Cognito AdminGetUser',
      'UpdateItem UserPlans',
      'SES SendEmail',
      'UpdateItem UserPlans',
    ]),
    row('to be deleted', idle(free, 2), sweepIdle, 200, [
      ...eachShard('Query UserPlans by_idle'),
      'GetItem UserPlans',
      'Cognito AdminGetUser',
      'SES GetSuppressedDestination',
      'UpdateItem UserPlans',
      'UpdateItem UserPlans',
      'Cognito AdminDeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('to be deleted, Plus before', idle(ended, 2), sweepIdle, 200, [
      ...eachShard('Query UserPlans by_idle'),
      'GetItem UserPlans',
      'Cognito AdminGetUser',
      'SES GetSuppressedDestination',
      'UpdateItem UserPlans',
      'Stripe POST /v1/checkout/sessions/:id/expire',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'Stripe POST /v1/checkout/sessions/:id/expire',
      'Stripe GET /v1/checkout/sessions/:id',
      'Stripe GET /v1/subscriptions',
      'Stripe DELETE /v1/customers/:id',
      'UpdateItem UserPlans',
      'Cognito AdminDeleteUser',
      'DeleteItem UserPlans',
      'DeleteItem AddressChanges + DeleteItem Addresses + SES SendEmail',
    ]),
    row('idle, on Plus', idle(plus, 0), sweepIdle, 200, [
      ...eachShard('Query UserPlans by_idle'),
      'GetItem UserPlans',
      'UpdateItem UserPlans',
    ]),
  ],
  // No trigger calls ListUsers: 30 calls a second are allowed, and the quota can't be raised.
  'triggers/post-confirmation': rowsOf({
    PostConfirmation_ConfirmSignUp: (source) => [
      row(source, withoutRow, confirm(source), 200, ['PutItem Addresses', 'PutItem UserPlans']),
      row(`${source}, called again`, free, confirm(source), 200, [
        'PutItem Addresses',
        'PutItem UserPlans',
        'GetItem UserPlans',
      ]),
      row(`${source}, the owner of the address is gone`, addressLeftOver, confirm(source), 200, [
        'PutItem Addresses',
        'GetItem Addresses',
        'Cognito AdminGetUser',
        'PutItem Addresses',
        'Cognito AdminGetUser',
        'PutItem UserPlans',
      ]),
      row(`${source}, another account has the address`, addressOfAnother, confirm(source), 400, [
        'PutItem Addresses',
        'GetItem Addresses',
        'Cognito AdminGetUser',
        'Cognito AdminDeleteUser',
      ]),
    ],
    PostConfirmation_ConfirmForgotPassword: (source) => [
      row(source, free, confirm(source), 200, [
        'Cognito AdminUserGlobalSignOut + UpdateItem UserPlans',
        'SES SendEmail',
      ]),
      row(`${source}, changed a minute ago`, changedPassword, confirm(source), 200, [
        'Cognito AdminUserGlobalSignOut + UpdateItem UserPlans',
      ]),
    ],
  } satisfies Sources<PostConfirmationTriggerEvent>),
  'triggers/pre-sign-up': rowsOf({
    PreSignUp_SignUp: (source) => [
      row(source, stranger, signUp(source), 200, [
        'Cognito AdminGetUser + GetItem Addresses + SES GetSuppressedDestination',
      ]),
      row(`${source}, never confirmed before`, unconfirmed, signUp(source), 200, [
        'Cognito AdminGetUser + GetItem Addresses + SES GetSuppressedDestination',
        'PutItem Addresses',
        'Cognito AdminDeleteUser',
        'DeleteItem Addresses',
      ]),
    ],
    PreSignUp_ExternalProvider: (source) => [
      row(source, stranger, signUp(source), 200, ['Cognito AdminGetUser + GetItem Addresses']),
      row(`${source}, never confirmed before`, unconfirmed, signUp(source), 200, [
        'Cognito AdminGetUser + GetItem Addresses',
        'PutItem Addresses',
        'Cognito AdminDeleteUser',
        'DeleteItem Addresses',
      ]),
      row(`${source}, linked to an account`, free, signUp(source), 200, [
        'Cognito AdminGetUser + GetItem Addresses',
        'Cognito AdminLinkProviderForUser',
        'SES SendEmail',
      ]),
    ],
    PreSignUp_AdminCreateUser: (source) => [row(source, stranger, signUp(source), 200, [])],
  } satisfies Sources<PreSignUpTriggerEvent>),
  'triggers/custom-message': rowsOf({
    CustomMessage_SignUp: (source) => [row(source, free, writeMessage(source), 200, [])],
    CustomMessage_ResendCode: (source) => [
      row(source, free, writeMessage(source), 200, ['SES GetSuppressedDestination']),
      row(`${source}, to sign up again`, unconfirmed, writeMessage(source, SIGN_UP_AGAIN), 400, [
        'Cognito AdminGetUser',
        'PutItem Addresses',
        'Cognito AdminDeleteUser',
        'DeleteItem Addresses',
      ]),
    ],
    CustomMessage_ForgotPassword: (source) => [row(source, free, writeMessage(source), 200, [])],
    CustomMessage_UpdateUserAttribute: (source) => [row(source, free, writeMessage(source), 400, [])],
    CustomMessage_VerifyUserAttribute: (source) => [row(source, free, writeMessage(source), 400, [])],
    CustomMessage_AdminCreateUser: (source) => [row(source, free, writeMessage(source), 200, [])],
    CustomMessage_Authentication: (source) => [row(source, free, writeMessage(source), 200, [])],
  } satisfies Sources<CustomMessageTriggerEvent>),
  'events/returned-mail': [
    row('a code', free, () => returnMail({}), 200, []),
    row('a warning', idle(free, 1), ({ id }) => returnMail({ notice: ['account-idle'], user: [id] }), 200, [
      'GetItem UserPlans',
      'UpdateItem UserPlans',
    ]),
  ],
};

/**
 * What the first call of an execution environment asks besides, and the environment keeps. `state`: a row of
 * the table that needs all of it.
 */
const firstCalls: Record<FunctionName, { state: string; calls: string[] }> = {
  plan: { state: 'expired', calls: [SECRET] },
  'create-checkout-session': {
    state: 'Free, never bought',
    calls: [SECRET, 'Stripe GET /v1/prices'],
  },
  'session-status': { state: 'paid, unheard of', calls: [SECRET] },
  'cancel-subscription': { state: 'Plus', calls: [SECRET] },
  'renew-subscription': { state: 'ending', calls: [SECRET] },
  billing: { state: 'Plus', calls: [SECRET] },
  'update-card': { state: 'Plus', calls: [SECRET, 'Stripe GET /v1/billing_portal/configurations'] },
  'change-password': { state: 'the right password', calls: [] },
  'change-email': { state: 'another address', calls: [] },
  'confirm-email': { state: 'Plus, and on the waitlist', calls: [SECRET] },
  'undo-email': { state: 'Plus, and on the waitlist', calls: [SECRET] },
  export: { state: 'Plus', calls: [SECRET] },
  'delete-account': { state: 'Plus', calls: [SECRET] },
  waitlist: { state: 'a new address', calls: [] },
  'csp-report': { state: 'a report', calls: [] },
  // Two secrets: our client at GitHub, and Cognito's at our issuer.
  'github-oidc': { state: 'token', calls: ['KMS GetPublicKey', SECRET, SECRET] },
  'stripe-webhook': { state: 'invoice.paid', calls: [SECRET] },
  'schedules/expiry-sweep': { state: 'one plan has expired', calls: [SECRET] },
  'schedules/event-catch-up': { state: 'one customer has paid', calls: [SECRET] },
  'schedules/billing-tasks': { state: 'a user is missing for the second time', calls: [SECRET] },
  'schedules/idle-accounts': { state: 'to be deleted, Plus before', calls: [SECRET] },
  'schedules/unconfirmed-sweep': { state: 'one is due', calls: [] },
  'schedules/unpaid-plus': { state: 'one has ended, and the row says Plus', calls: [SECRET] },
  'triggers/post-confirmation': { state: 'PostConfirmation_ConfirmForgotPassword', calls: [] },
  'triggers/pre-sign-up': { state: 'PreSignUp_ExternalProvider, linked to an account', calls: [] },
  'triggers/custom-message': { state: 'CustomMessage_SignUp', calls: [] },
  'events/returned-mail': { state: 'a warning', calls: [] },
};

/** The calls that the execution environment of each function has made. */
const made = new Map<string, Set<string>>();

const record = async ({ given, act, answers }: Row, { cold = false } = {}): Promise<string[][]> => {
  const user = await given();
  if (cold) {
    product.endEnvironments();
    made.clear();
  }
  const { result, waves } = await product.recorder.record(() => act(user));
  expect(result).toBe(answers);
  return waves;
};

describe.each(Object.entries(table))('%s', (name, rows) => {
  test.each(rows)('$state', async (each) => {
    let waves = await record(each);
    const known = made.get(name) ?? new Set();
    const isWarm = waves.flat().every((one) => known.has(one));
    made.set(name, new Set([...known, ...waves.flat()]));
    // An environment imports a client, and reads what it keeps, when it makes a call for the first time.
    if (!isWarm) waves = await record(each);
    expect(waves.map((wave) => wave.join(' + '))).toEqual(each.calls);
  });

  test('the first call of an execution environment', async () => {
    const { state, calls } = firstCalls[name as FunctionName];
    const each = rows.find((one) => one.state === state);
    if (!each) throw new Error(`The table has no row "${state}" of ${name}.`);
    const asked = (await record(each, { cold: true })).flat();
    expect(asked.toSorted()).toEqual(
      [...each.calls.flatMap((wave) => wave.split(' + ')), ...calls].toSorted(),
    );
  });
});

test('the table has every route, trigger and schedule, and every Stripe event that is handled', () => {
  const filled = Object.entries(table).flatMap(([name, rows]) => (rows.length > 0 ? [name] : []));
  const all = [...Object.keys(api), ...Object.keys(backgroundFunctions)];
  expect([...filled, ...unlisted].toSorted()).toEqual(all.toSorted());
  const events = table['stripe-webhook'].map(({ state }) => state);
  expect([...handledEventTypes].filter((type) => !events.includes(type))).toEqual([]);
});

test.each(Object.entries(activities))(
  'the page of costs counts the calls of the table: %s',
  (_, { asked, calls }) => {
    const [name, state] = asked;
    const counted = table[name].find((one) => one.state === state);
    expect(counted?.calls).toEqual(calls);
  },
);
