import type {
  CustomMessageTriggerEvent,
  PostConfirmationTriggerEvent,
  PreSignUpTriggerEvent,
  PreTokenGenerationTriggerEvent,
} from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { markOf } from '../../../functions/domain/mark.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { EXPIRY_SHARDS, expiryShard } from '../../../functions/domain/expiry-shard.ts';
import { handledEventTypes } from '../../../functions/domain/handled-event-types.ts';
import { api, type RouteName } from '../../../schemas/api.ts';
import { type BackgroundFunction, backgroundFunctions } from '../../../schemas/config/environment.ts';
import { SessionList } from '../../../schemas/shapes/sessions.ts';
import { SIGN_UP_AGAIN } from '../../../schemas/trigger-refusals.ts';
import { browserThatSignsUp } from '../../fixtures/worlds/account.ts';
import { signed } from '../../fixtures/worlds/billing-world.ts';
import { appSignIns, refreshForm, revokeForm } from '../../fixtures/worlds/app-sign-in.ts';
import type { Call } from '../../fixtures/fakes/http-event.ts';
import { fromCloudFront } from '../../fixtures/fakes/origin-key.ts';
import {
  COGNITO_CALLBACK,
  issuerSecret,
  password,
  poolId,
  type CallRecordingProduct,
  SITE_URL,
  startCallRecordingProduct,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

let product: CallRecordingProduct;
let apps: ReturnType<typeof appSignIns>;

beforeAll(async () => {
  product = await startCallRecordingProduct();
  apps = appSignIns(product, product.ask);
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
  const metadata = markOf(STAGE, user.id);
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
const withBrowser = async (): Promise<User> => {
  const user = await free();
  await listSessions(user);
  return user;
};
/** A browser of another session. */
const otherBrowser = async (): Promise<User> => product.signIn(await withBrowser());
/** `otherId`: the other browser's session. */
let otherId = '';
const withOtherBrowser = async (): Promise<User> => {
  const user = await otherBrowser();
  const { body } = await product.ask('sessions', user, { body: {} });
  const { sessions } = SessionList.parse(body);
  otherId = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? '';
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

// The requests to the functions.

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
const updateCard = ask('billing-portal', () => ({ body: { page: 'card' } }));
const editInvoiceDetails = ask('billing-portal', () => ({ body: { page: 'invoice-details' } }));
const readExport = ask('export');
const changePassword = (currentPassword: string) =>
  ask('change-password', () => ({ body: { currentPassword, newPassword: 'correct horse 2' } }));
const changeProvider = ask('change-provider', () => ({ body: { provider: 'Google', connected: false } }));
const listSessions = ask('sessions', () => ({ body: {} }));
const endSession = (session?: string) =>
  ask('end-session', () => ({ body: { session: session ?? otherId } }));
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
const remindOfProvider: Act = async ({ email }) =>
  (await product.ask('provider-reminder', undefined, { body: { email } })).status;
const mailContractLink: Act = async ({ email }) =>
  (await product.ask('contract-mail', undefined, { body: { email } })).status;
const endContract =
  (action: 'show' | 'cancel'): Act =>
  async ({ email }) => {
    const token = /end-contract#(\S+)/.exec(product.mailTo(email))?.[1] ?? 'a'.repeat(43);
    return (await product.ask('end-contract', undefined, { body: { token, action } })).status;
  };
const withContractLink = async (given: () => Promise<User>): Promise<User> => {
  const user = await given();
  await mailContractLink(user);
  return user;
};
const confirmSignUp: Act = async ({ email }) => {
  const { code } = product.cognito.lastMail(email);
  const body = { email, code, name: 'Ada Lovelace', password: 'correct horse' };
  return (await product.ask('confirm-sign-up', undefined, { body })).status;
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
/** A deletion refunds what was paid from its second on. */
const aMinuteAfter = (given: () => Promise<User>) => async (): Promise<User> => {
  const user = await given();
  await product.advance(60_000);
  return user;
};
const atOtherAddress = async (): Promise<User> => {
  const user = await withOtherAddress(aMinuteAfter(plus));
  return product.signIn({ email: newAddressOf(user) });
};
const deletedAtOtherAddress = async (): Promise<User> => {
  const user = await withOtherAddress(aMinuteAfter(plus));
  await deleteAccount(await product.signIn({ email: newAddressOf(user) }));
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
        metadata: names ? markOf(STAGE, id) : {},
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
const { attribute, metadata } = browserThatSignsUp();
const confirm =
  (triggerSource: Source<PostConfirmationTriggerEvent>, inItsBrowser = true): Act =>
  ({ id, email }) =>
    trigger('triggers/post-confirmation', {
      triggerSource,
      userName: id,
      request: {
        userAttributes: { sub: id, email, email_verified: 'true', [attribute.Name]: attribute.Value },
        ...(inItsBrowser && { clientMetadata: metadata }),
      },
    });
const useAccount =
  (
    triggerSource: Source<PreTokenGenerationTriggerEvent>,
    identities = '[{"providerName":"Google","userId":"1"}]',
  ): Act =>
  ({ id }) =>
    trigger('triggers/pre-token-generation', {
      triggerSource,
      userName: id,
      request: { userAttributes: { sub: id, identities } },
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
      callerContext: { clientId: 'client' },
      request: { codeParameter: '{####}', userAttributes: { email }, clientMetadata },
    });
const returnMail = (tags: Record<string, string[]>): Promise<number> =>
  trigger('events/undeliverable-mail', {
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
const comparePlans = runSchedule('schedules/plan-agreement');
/** Without the users of an earlier try, whom the comparison would find too. */
const alone = (given: () => Promise<User>) => async (): Promise<User> => {
  await product.clear();
  return given();
};
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
const freeForDays = async (): Promise<User> => {
  const user = await free();
  await product.advance(2 * DAY);
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
const githubToken = async (): Promise<AskStep> => {
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
  const { body } = await (await githubToken())();
  const { access_token } = JSON.parse(String(body)) as { access_token: string };
  return () => step('userinfo', { headers: { authorization: `Bearer ${access_token}` } });
};

interface Row {
  state: string;
  given: () => Promise<User>;
  act: Act;
  answers: number;
}
const row = (state: string, given: () => Promise<User>, act: Act, answers: number): Row => ({
  state,
  given,
  act,
  answers,
});
/** A step is asked with what the steps before it handed out. */
const stepRow = (name: string, prepare: () => Promise<AskStep>, answers: number): Row => {
  let askStep: AskStep;
  return row(
    name,
    async () => {
      askStep = await prepare();
      return nobody();
    },
    async () => (await askStep()).statusCode,
    answers,
  );
};

// Forms of an app are prepared with the calls before them.
type Prepare = (user: User) => Promise<Call>;
const appRow = (state: string, prepare: Prepare, name: 'token' | 'revoke', answers: number): Row => {
  let form: Call;
  return row(
    state,
    async () => {
      const user = await free();
      form = await prepare(user);
      return user;
    },
    async () => (await product.ask(name, undefined, form)).status,
    answers,
  );
};
const used =
  (prepare: Prepare): Prepare =>
  async (user) => {
    const form = await prepare(user);
    await product.ask('token', undefined, form);
    return form;
  };
const lateAgain: Prepare = async (user) => {
  const token = await apps.signIn(user);
  await apps.refresh(await apps.refresh(token));
  return refreshForm(token);
};
const signedOutOfApps: Prepare = async (user) => {
  const token = await apps.signIn(user);
  await product.cognito.call('GlobalSignOut', { AccessToken: user.token });
  return refreshForm(token);
};

// Without the canary, which the local world's stage doesn't have, and the export, which asks for each part of
// the pool.
const unlisted = ['schedules/canary', 'schedules/user-export'] as const;
type FunctionName = Exclude<RouteName | BackgroundFunction, (typeof unlisted)[number]>;

/**
 * Every function in each state of its user. `calls.txt` has the calls that it makes there to the services, in
 * a warm execution environment. Why some calls are there, and why some wait for another:
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
    row('Free', free, readPlan, 200),
    row('Free, first visit since a sign-in', freeAgain, readPlan, 200),
    row('no row', withoutRow, readPlan, 200),
    row('no row, the session has ended', () => signedOut(withoutRow), readPlan, 401),
    row('Plus', plus, readPlan, 200),
    row('Plus, the session has ended', () => signedOut(plus), readPlan, 200),
    row('ending', ending, readPlan, 200),
    row('expired', expired, readPlan, 200),
    row('expired, but renewed in the portal', expiredAndRenewed, readPlan, 200),
    row('past due', pastDue, readPlan, 200),
    row('complimentary', complimentary, readPlan, 200),
    row('complimentary, expired', complimentaryExpired, readPlan, 200),
    row('closing', closing, readPlan, 200),
  ],
  'create-checkout-session': [
    row('Free, never bought', free, buy, 200),
    row('Free, a checkout is open', withOpenCheckout, buy, 200),
    row('Free, Plus has ended', ended, buy, 200),
    row('no row', withoutRow, buy, 200),
    row('paid, unheard of', withPaidCheckout, buy, 409),
    row('Plus', plus, buy, 409),
    row('ending', ending, buy, 409),
    row('past due', pastDue, buy, 409),
    row('complimentary', complimentary, buy, 409),
    row('complimentary, ending', complimentaryEnding, buy, 200),
    row('closing', closing, buy, 409),
    row('the session has ended', () => signedOut(), buy, 401),
    row('an id that is not the caller’s', free, buyFor('eve'), 403),
  ],
  'session-status': [
    row('open', withOpenCheckout, returnFromCheckout, 200),
    row('paid, unheard of', withPaidCheckout, returnFromCheckout, 200),
    row('paid, Plus', plus, returnFromCheckout, 200),
    row('paid, with a duplicate', withDuplicate, returnFromCheckout, 200),
    row(
      'unknown',
      free,
      ask('session-status', () => ({ query: { session_id: 'cs_test_none' } })),
      404,
    ),
  ],
  'cancel-subscription': [
    row('Plus', plus, cancel, 200),
    row('Plus, cancelled in the portal', endingByThePortal, cancel, 409),
    row('past due', pastDue, cancel, 200),
    row('complimentary', complimentary, cancelComplimentary, 200),
    row('complimentary, ending', complimentaryEnding, cancelComplimentary, 409),
    row('ending', ending, cancel, 409),
    row('Free', free, cancelComplimentary, 404),
    row('the session has ended', () => signedOut(), cancelComplimentary, 401),
  ],
  'renew-subscription': [
    row('ending', ending, renew, 200),
    row('Plus, cancelled in the portal', endingByThePortal, renew, 200),
    row('Plus', plus, renew, 409),
    row('Free', free, renew, 409),
    row('the session has ended', () => signedOut(), renew, 401),
  ],
  billing: [
    row('Free, never bought', free, readBilling, 200),
    row('Plus', plus, readBilling, 200),
    row('the session has ended', () => signedOut(), readBilling, 401),
  ],
  'billing-portal': [
    row('Plus', plus, updateCard, 200),
    row('Plus, updated before', withUpdatedCard, updateCard, 200),
    row('Plus, what invoices say', plus, editInvoiceDetails, 200),
    row('Free, never bought', free, updateCard, 404),
    row('the session has ended', () => signedOut(), updateCard, 401),
  ],
  'change-password': [
    row('the right password', free, changePassword(password), 200),
    row('changed a minute ago', changedPassword, changePassword(password), 200),
    row('a wrong password', free, changePassword('wrong horse 1'), 403),
    row('the session has ended', () => signedOut(), changePassword(password), 401),
  ],
  'change-email': [
    row('another address', free, changeEmail(), 200),
    row(
      'the same address',
      free,
      changeEmail(({ email }) => email),
      409,
    ),
    row('the session has ended', () => signedOut(), changeEmail(), 401),
    row('signed in eleven minutes ago', signedInElevenMinutesAgo, changeEmail(), 403),
  ],
  // Each step waits for the one before: what is not proved and told is not changed. The item is read on both
  // sides of the pool's write, and before what follows: an undo may have named another address.
  'confirm-email': [
    row('Free, never bought', withCode, confirmEmail(), 200),
    row('Plus, and on the waitlist', () => withCode(plusOnWaitlist), confirmEmail(), 200),
    row('a wrong code', withCode, confirmEmail('1'.repeat(6)), 403),
    row('no code was sent', free, confirmEmail('1'.repeat(6)), 409),
    row('the session has ended', () => signedOut(), confirmEmail('1'.repeat(6)), 401),
  ],
  // Nobody can sign in between the third call and AdminEnableUser.
  'undo-email': [
    row('Plus, and on the waitlist', () => withOtherAddress(plusOnWaitlist), undoEmail, 200),
    row('Plus, and the deletion waits', deletedAtOtherAddress, undoEmail, 200),
    row('an unknown token', free, undoEmail, 410),
  ],
  'provider-reminder': [
    row('an account with a password', free, remindOfProvider, 200),
    row('an account of a provider', addressOfAnother, remindOfProvider, 200),
  ],
  'contract-mail': [row('an account', free, mailContractLink, 200)],
  'end-contract': [
    row('Free, never bought, which changes nothing', () => withContractLink(free), endContract('show'), 200),
    row('Plus', () => withContractLink(plus), endContract('cancel'), 200),
    row('an unknown link', free, endContract('show'), 410),
  ],
  'confirm-sign-up': [row('signed up in another browser', unconfirmed, confirmSignUp, 200)],
  sessions: [
    row('the first browser', free, listSessions, 200),
    row('the same session', withBrowser, listSessions, 200),
    row('another browser', otherBrowser, listSessions, 200),
    row('the session has ended', () => signedOut(), listSessions, 401),
  ],
  'end-session': [
    row('this one', withBrowser, endSession('this'), 200),
    row('another browser', withOtherBrowser, endSession(), 200),
    row('an app', free, endSession('id-of-an-app'), 200),
    row('all', withOtherBrowser, endSession('all'), 200),
    row('the session has ended', () => signedOut(), endSession('all'), 401),
  ],
  'change-provider': [
    row('a provider that is not connected', free, changeProvider, 200),
    row('the session has ended', () => signedOut(), changeProvider, 401),
  ],
  export: [
    row('Free, never bought', free, readExport, 200),
    row('Plus', plus, readExport, 200),
    row('on the waitlist', onWaitlist, readExport, 200),
    row('the session has ended', () => signedOut(), readExport, 401),
  ],
  'delete-account': [
    row('Free, never bought', free, deleteAccount, 200),
    row('Free, a checkout is open', withOpenCheckout, deleteAccount, 200),
    row('Plus', aMinuteAfter(plus), deleteAccount, 200),
    row('Plus, the address was changed', atOtherAddress, deleteAccount, 200),
    row('Plus, with a duplicate', aMinuteAfter(withDuplicate), deleteAccount, 200),
    row('past due', pastDue, deleteAccount, 200),
    row('no row', withoutRow, deleteAccount, 200),
    row('the session has ended', () => signedOut(), deleteAccount, 401),
    row('signed in eleven minutes ago', signedInElevenMinutesAgo, deleteAccount, 403),
  ],
  waitlist: [
    row('a new address', free, joinWaitlist, 201),
    row('on the waitlist', onWaitlist, joinWaitlist, 409),
  ],
  'relay-code': [
    row(
      'a sign-in for an app',
      free,
      ask('relay-code', (user) => apps.relayCode(user)),
      201,
    ),
    row(
      'an address that is not registered',
      nobody,
      ask('relay-code', () => ({
        body: { code: 'code', redirect_uri: 'https://evil.example/', code_challenge: 'x'.repeat(43) },
      })),
      400,
    ),
  ],
  // The session is read before Cognito is asked, and counted only afterwards: without Cognito's answer, the
  // app's token stays valid.
  token: [
    appRow('a code', (user) => apps.codeForm(user), 'token', 200),
    appRow(
      'a used code',
      used((user) => apps.codeForm(user)),
      'token',
      400,
    ),
    appRow('a refresh token', async (user) => refreshForm(await apps.signIn(user)), 'token', 200),
    appRow(
      'a refresh token, its answer was lost',
      used(async (user) => refreshForm(await apps.signIn(user))),
      'token',
      200,
    ),
    appRow('a refresh token that comes again later', lateAgain, 'token', 400),
    appRow('a refresh token, its session has ended', signedOutOfApps, 'token', 400),
    appRow('no token of ours', async () => refreshForm('token'), 'token', 400),
  ],
  revoke: [
    appRow('a refresh token', async (user) => revokeForm(await apps.signIn(user)), 'revoke', 200),
    appRow('no token of ours', async () => revokeForm('token'), 'revoke', 200),
  ],
  'csp-report': [
    row(
      'a report',
      nobody,
      ask('csp-report', () => ({ body: [] })),
      200,
    ),
  ],
  'github-oidc': [
    stepRow('authorize', async () => authorize, 302),
    stepRow('callback', callback, 302),
    stepRow('token', githubToken, 200),
    stepRow('userinfo', userinfo, 200),
    stepRow('jwks', async () => () => step('jwks'), 200),
  ],
  'stripe-webhook': [
    ...[...handledEventTypes]
      .filter((type) => type !== 'invoice.upcoming')
      .map((type) => row(type, withPaidCheckout, hear(type), 200)),
    row('invoice.paid, Plus', plus, hear('invoice.paid'), 200),
    row('invoice.paid, no row', paidWithoutRow, hearOfCustomer('invoice.paid'), 200),
    row('customer.subscription.deleted, unpaid', endedUnpaid, hear('customer.subscription.deleted'), 200),
    row(
      'customer.subscription.updated, by support',
      plus,
      hearOfCustomer('customer.subscription.updated'),
      200,
    ),
    row('checkout.session.completed, a duplicate', withDuplicate, hear('checkout.session.completed'), 200),
    row('invoice.upcoming', plus, hear('invoice.upcoming'), 200),
    row('invoice.upcoming, gone from the pool', goneFromThePool, hear('invoice.upcoming'), 200),
    row('a type that decides no plan', plus, hear('charge.succeeded'), 200),
    row('a forged signature', afterAMinute, hearForged, 400),
    row('another forged signature within a minute', afterForged, hearForged, 400),
  ],
  'schedules/expiry-sweep': [
    row('nothing is due', nobody, runSchedule('schedules/expiry-sweep'), 200),
    row('one plan has expired', expiredInTheLastShard, runSchedule('schedules/expiry-sweep'), 200),
  ],
  'schedules/event-catch-up': [
    row('no event', caughtUp(nobody), runSchedule('schedules/event-catch-up'), 200),
    row('one customer has paid', caughtUp(withPaidCheckout), runSchedule('schedules/event-catch-up'), 200),
  ],
  'schedules/plan-agreement': [
    row('all agree', alone(plus), comparePlans, 200),
    row('one has ended, and the row says Plus', alone(endedUnheard), comparePlans, 200),
  ],
  'schedules/unconfirmed-sweep': [
    row('nobody is unconfirmed', nobody, runSchedule('schedules/unconfirmed-sweep'), 200),
    row('one is due', unconfirmedForTwoDays, runSchedule('schedules/unconfirmed-sweep'), 200),
  ],
  'schedules/billing-tasks': [
    row('nothing is due', noTasks(nobody), runSchedule('schedules/billing-tasks'), 200),
    row(
      'a user is missing for the second time',
      noTasks(missedAnHourAgo),
      runSchedule('schedules/billing-tasks'),
      200,
    ),
  ],
  'schedules/idle-accounts': [
    row('nothing is due', nobody, sweepIdle, 200),
    row('to be warned', idle(free, 0), sweepIdle, 200),
    row('to be deleted', idle(free, 2), sweepIdle, 200),
    row('to be deleted, Plus before', idle(ended, 2), sweepIdle, 200),
    row('idle, on Plus', idle(plus, 0), sweepIdle, 200),
  ],
  // No trigger calls ListUsers: 30 calls a second are allowed, and the quota can't be raised.
  'triggers/post-confirmation': rowsOf({
    PostConfirmation_ConfirmSignUp: (source) => [
      row(source, withoutRow, confirm(source), 200),
      row(`${source}, called again`, free, confirm(source), 200),
      row(`${source}, in another browser`, withoutRow, confirm(source, false), 200),
      row(`${source}, the owner of the address is gone`, addressLeftOver, confirm(source), 200),
      row(`${source}, another account has the address`, addressOfAnother, confirm(source), 400),
    ],
    PostConfirmation_ConfirmForgotPassword: (source) => [
      row(source, free, confirm(source), 200),
      row(`${source}, changed a minute ago`, changedPassword, confirm(source), 200),
    ],
  } satisfies Sources<PostConfirmationTriggerEvent>),
  'triggers/pre-sign-up': rowsOf({
    PreSignUp_SignUp: (source) => [
      row(source, stranger, signUp(source), 200),
      row(`${source}, never confirmed before`, unconfirmed, signUp(source), 200),
    ],
    PreSignUp_ExternalProvider: (source) => [
      row(source, stranger, signUp(source), 200),
      row(`${source}, never confirmed before`, unconfirmed, signUp(source), 200),
      row(`${source}, linked to an account`, free, signUp(source), 200),
    ],
    PreSignUp_AdminCreateUser: (source) => [row(source, stranger, signUp(source), 200)],
  } satisfies Sources<PreSignUpTriggerEvent>),
  'triggers/custom-message': rowsOf({
    CustomMessage_SignUp: (source) => [row(source, free, writeMessage(source), 200)],
    CustomMessage_ResendCode: (source) => [
      row(source, free, writeMessage(source), 200),
      row(`${source}, to sign up again`, unconfirmed, writeMessage(source, SIGN_UP_AGAIN), 400),
    ],
    CustomMessage_ForgotPassword: (source) => [row(source, free, writeMessage(source), 200)],
    CustomMessage_UpdateUserAttribute: (source) => [row(source, free, writeMessage(source), 400)],
    CustomMessage_VerifyUserAttribute: (source) => [row(source, free, writeMessage(source), 400)],
    CustomMessage_AdminCreateUser: (source) => [row(source, free, writeMessage(source), 200)],
    CustomMessage_Authentication: (source) => [row(source, free, writeMessage(source), 200)],
  } satisfies Sources<CustomMessageTriggerEvent>),
  'triggers/pre-token-generation': rowsOf({
    TokenGeneration_Authentication: (source) => [
      row(source, free, useAccount(source), 200),
      row(`${source}, warned as idle`, idle(free, 1), useAccount(source), 200),
      row(`${source}, no row`, withoutRow, useAccount(source), 200),
    ],
    TokenGeneration_HostedAuth: (source) => [
      row(source, free, useAccount(source), 200),
      row(`${source}, no provider`, free, useAccount(source, '[]'), 400),
    ],
    TokenGeneration_RefreshTokens: (source) => [
      row(source, free, useAccount(source), 200),
      row(`${source}, two days later`, freeForDays, useAccount(source), 200),
    ],
    TokenGeneration_NewPasswordChallenge: (source) => [row(source, free, useAccount(source), 200)],
    TokenGeneration_AuthenticateDevice: (source) => [row(source, free, useAccount(source), 200)],
  } satisfies Sources<PreTokenGenerationTriggerEvent>),
  'events/undeliverable-mail': [
    row('a code', free, () => returnMail({}), 200),
    row('a warning', idle(free, 1), ({ id }) => returnMail({ notice: ['account-idle'], user: [id] }), 200),
  ],
};

/**
 * A row that needs all that the first call of an execution environment asks besides, and the environment
 * keeps. By default the first row.
 */
const firstCalls: Partial<Record<FunctionName, string>> = {
  plan: 'expired',
  'session-status': 'paid, unheard of',
  billing: 'Plus',
  'confirm-email': 'Plus, and on the waitlist',
  export: 'Plus',
  'delete-account': 'Plus',
  // Two secrets: our client at GitHub, and Cognito's at our issuer.
  'github-oidc': 'token',
  'stripe-webhook': 'invoice.paid',
  'schedules/expiry-sweep': 'one plan has expired',
  'schedules/event-catch-up': 'one customer has paid',
  'schedules/plan-agreement': 'one has ended, and the row says Plus',
  'schedules/unconfirmed-sweep': 'one is due',
  'schedules/billing-tasks': 'a user is missing for the second time',
  'schedules/idle-accounts': 'to be deleted, Plus before',
  'triggers/post-confirmation': 'PostConfirmation_ConfirmForgotPassword',
  'triggers/pre-sign-up': 'PreSignUp_ExternalProvider, linked to an account',
  'events/undeliverable-mail': 'a warning',
};

/** The calls that the execution environment of each function has made. */
const made = new Map<string, Set<string>>();

/** `waves`: a list for each wave, of calls that are made at once. */
const record = async ({ given, act }: Row, { cold = false } = {}) => {
  const user = await given();
  if (cold) {
    product.endEnvironments();
    made.clear();
  }
  return product.recorder.record(() => act(user));
};

/** The contents of `calls.txt`: the lines of each state, by function. */
const seen = new Map<string, string[]>();
const see = (name: string, heading: string, calls: string[]): void => {
  const repeats: { call: string; times: number }[] = [];
  for (const call of calls) {
    const last = repeats.at(-1);
    if (last?.call === call) last.times += 1;
    else repeats.push({ call, times: 1 });
  }
  const lines = repeats.map(({ call, times }) => `    ${times > 1 ? `${times} × ` : ''}${call}`);
  seen.set(name, [...(seen.get(name) ?? [name]), `  ${heading}`, ...lines]);
};

describe.each(Object.entries(table))('%s', (name, rows) => {
  const warm = new Map<Row, string[]>();

  test.each(rows)('$state', async (each) => {
    let { result, waves } = await record(each);
    const known = made.get(name) ?? new Set();
    const isWarm = waves.flat().every((one) => known.has(one));
    made.set(name, new Set([...known, ...waves.flat()]));
    // An environment imports a client, and reads what it keeps, when it makes a call for the first time.
    if (!isWarm) ({ result, waves } = await record(each));
    expect(result).toBe(each.answers);
    warm.set(each, waves.flat());
    see(
      name,
      `${each.state}: ${each.answers}`,
      waves.map((wave) => wave.join(' + ')),
    );
  });

  test('the first call of an execution environment', async () => {
    const state = firstCalls[name as FunctionName] ?? rows[0]?.state;
    const each = rows.find((one) => one.state === state);
    const rest = each && warm.get(each);
    if (!rest) throw new Error(`The state "${state}" of ${name} has not run.`);
    const { result, waves } = await record(each, { cold: true });
    expect(result).toBe(each.answers);
    const besides = waves.flat().toSorted();
    for (const call of rest) {
      expect(besides).toContain(call);
      besides.splice(besides.indexOf(call), 1);
    }
    see(
      name,
      `first call of an environment, ${state}`,
      besides.map((call) => `+ ${call}`),
    );
  });
});

test('the calls are those of calls.txt', async () => {
  // A state that failed would be missing.
  const states = [...seen.values()].flat().filter((line) => /^ {2}\S/.test(line));
  expect(states).toHaveLength(Object.values(table).reduce((sum, rows) => sum + rows.length + 1, 0));
  const text = [...seen.values()].map((lines) => `${lines.join('\n')}\n`).join('\n');
  await expect(text).toMatchFileSnapshot('calls.txt');
});

test('the table has every route, trigger and schedule, and every Stripe event that is handled', () => {
  const filled = Object.entries(table).flatMap(([name, rows]) => (rows.length > 0 ? [name] : []));
  const all = [...Object.keys(api), ...Object.keys(backgroundFunctions)];
  expect([...filled, ...unlisted].toSorted()).toEqual(all.toSorted());
  const events = table['stripe-webhook'].map(({ state }) => state);
  expect([...handledEventTypes].filter((type) => !events.includes(type))).toEqual([]);
});
