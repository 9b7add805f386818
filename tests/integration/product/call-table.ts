import type {
  CustomMessageTriggerEvent,
  PostConfirmationTriggerEvent,
  PreSignUpTriggerEvent,
  PreTokenGenerationTriggerEvent,
} from 'aws-lambda';
import { handledEventTypes } from '../../../functions/domain/handled-event-types.ts';
import { api, type RouteName } from '../../../schemas/api.ts';
import type { BackgroundFunction, backgroundFunctions } from '../../../schemas/background-functions.ts';
import type { Endpoint } from '../../../schemas/routes/endpoint.ts';
import { SIGN_UP_AGAIN } from '../../../schemas/trigger-refusals.ts';
import type { Call } from '../../fixtures/fakes/http-event.ts';
import { password, type User } from '../../fixtures/worlds/call-recording-product.ts';
import * as does from './call-requests.ts';
import * as is from './call-states.ts';

/** The state of a user, a request, and the status of its answer. */
export type Row = [given: does.Given, act: does.Act, answers: number];
type Rows = Record<string, Row>;

// Without the canary, which the local world's stage doesn't have, and the export, which asks for each part of
// the pool.
export type FunctionName = Exclude<
  RouteName | keyof typeof backgroundFunctions,
  'schedules/canary' | 'schedules/user-export'
>;

const rowsOf = <Key extends string>(keys: Iterable<Key>, rowOf: (key: Key) => Row): Rows =>
  Object.fromEntries([...keys].map((key) => [key, rowOf(key)]));
/** The rows of a schedule, by the state before it. */
const scheduled = (name: BackgroundFunction, states: Record<string, does.Given>, event?: unknown): Rows =>
  rowsOf(Object.keys(states), (state) => [states[state]!, does.run(name, event), 200]);
/** The sources of a trigger, which the compiler keeps complete, with what each answers a user. */
const sources = <E extends { triggerSource: string }>(
  answers: Record<E['triggerSource'], number>,
  act: (source: string) => does.Act,
  given = is.free,
): Rows => rowsOf(Object.keys(answers) as E['triggerSource'][], (key) => [given, act(key), answers[key]]);
/** A request that is prepared with the answers before it. */
const prepared = (
  prepare: (user: User) => Promise<() => Promise<number | undefined>>,
  answers: number,
): Row => {
  let askIt: () => Promise<number | undefined>;
  const given = does.after(is.free, async (user) => {
    askIt = await prepare(user);
  });
  return [given, () => askIt(), answers];
};
const formTo = (name: 'token' | 'revoke', prepare: (user: User) => Promise<Call>, answers: number): Row =>
  prepared(async (user) => {
    const form = await prepare(user);
    return async () => (await does.product.ask(name, undefined, form)).status;
  }, answers);
const step = (name: keyof typeof is.gitHubSteps, answers: number): Row =>
  prepared(async () => {
    const askStep = await is.gitHubSteps[name]();
    return async () => (await askStep()).statusCode;
  }, answers);

const SIGNED_UP = 'PostConfirmation_ConfirmSignUp';
const RESET = 'PostConfirmation_ConfirmForgotPassword';

/**
 * Every function in each state of its user. `calls.txt` has the calls that it makes there to the services, in
 * a warm execution environment; states with the same calls stand
 * together. Why some calls are there, and why some wait for another:
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
export const table: Record<FunctionName, Rows> = {
  plan: {
    Free: [is.free, does.readPlan, 200],
    'Free, first visit since a sign-in': [is.freeAgain, does.readPlan, 200],
    'no row': [is.withoutRow, does.readPlan, 200],
    'no row, the session has ended': [is.signedOut(is.withoutRow), does.readPlan, 401],
    Plus: [is.plus, does.readPlan, 200],
    'Plus, the session has ended': [is.signedOut(is.plus), does.readPlan, 200],
    ending: [is.ending, does.readPlan, 200],
    expired: [is.expired, does.readPlan, 200],
    'expired, but renewed in the portal': [is.expiredAndRenewed, does.readPlan, 200],
    'past due': [is.pastDue, does.readPlan, 200],
    complimentary: [is.complimentary, does.readPlan, 200],
    'complimentary, expired': [is.complimentaryExpired, does.readPlan, 200],
    closing: [is.closing, does.readPlan, 200],
  },
  'create-checkout-session': {
    'Free, never bought': [is.free, does.buy, 200],
    'Free, a checkout is open': [is.withOpenCheckout, does.buy, 200],
    'Free, Plus has ended': [is.ended, does.buy, 200],
    'no row': [is.withoutRow, does.buy, 200],
    'paid, unheard of': [is.paid, does.buy, 409],
    Plus: [is.plus, does.buy, 409],
    ending: [is.ending, does.buy, 409],
    'past due': [is.pastDue, does.buy, 409],
    complimentary: [is.complimentary, does.buy, 409],
    'complimentary, ending': [is.complimentaryEnding, does.buy, 200],
    closing: [is.closing, does.buy, 409],
    'an id that is not the caller’s': [is.free, does.buyFor('eve'), 403],
  },
  'session-status': {
    open: [is.withOpenCheckout, does.returnFromCheckout, 200],
    'paid, unheard of': [is.paid, does.returnFromCheckout, 200],
    'paid, Plus': [is.plus, does.returnFromCheckout, 200],
    'paid, with a duplicate': [is.withDuplicate, does.returnFromCheckout, 200],
    unknown: [is.free, does.ask('session-status', () => ({ query: { session_id: 'cs_test_none' } })), 404],
  },
  'cancel-subscription': {
    Plus: [is.plus, does.cancel, 200],
    'Plus, cancelled in the portal': [is.endingByThePortal, does.cancel, 409],
    'past due': [is.pastDue, does.cancel, 200],
    complimentary: [is.complimentary, does.cancelComplimentary, 200],
    'complimentary, ending': [is.complimentaryEnding, does.cancelComplimentary, 409],
    ending: [is.ending, does.cancel, 409],
    Free: [is.free, does.cancelComplimentary, 404],
  },
  'renew-subscription': {
    ending: [is.ending, does.renew, 200],
    'Plus, cancelled in the portal': [is.endingByThePortal, does.renew, 200],
    Plus: [is.plus, does.renew, 409],
    Free: [is.free, does.renew, 409],
  },
  billing: {
    'Free, never bought': [is.free, does.ask('billing'), 200],
    Plus: [is.plus, does.ask('billing'), 200],
  },
  'billing-portal': {
    Plus: [is.plus, does.openPortal('card'), 200],
    'Plus, updated before': [is.withUpdatedCard, does.openPortal('card'), 200],
    'Plus, what invoices say': [is.plus, does.openPortal('invoice-details'), 200],
    'Free, never bought': [is.free, does.openPortal('card'), 404],
  },
  'change-password': {
    'the right password': [is.free, does.changePassword(password), 200],
    'changed a minute ago': [is.changedPassword, does.changePassword(password), 200],
    'a wrong password': [is.free, does.changePassword('wrong horse 1'), 403],
  },
  'change-email': {
    'another address': [is.free, does.changeEmail(), 200],
    'the same address': [is.free, does.changeEmail(({ email }) => email), 409],
    'signed in eleven minutes ago': [is.signedInElevenMinutesAgo, does.changeEmail(), 403],
  },
  // Each step waits for the one before: what is not proved and told is not changed. The item is read on both
  // sides of the pool's write, and before what follows: an undo may have named another address.
  'confirm-email': {
    'Free, never bought': [is.withCode(), does.confirmEmail(), 200],
    'Plus, and on the waitlist': [is.withCode(is.plusOnWaitlist), does.confirmEmail(), 200],
    'a wrong code': [is.withCode(), does.confirmEmail('1'.repeat(6)), 403],
    'no code was sent': [is.free, does.confirmEmail('1'.repeat(6)), 409],
  },
  // Nobody can sign in between the third call and AdminEnableUser.
  'undo-email': {
    'Plus, and on the waitlist': [is.withOtherAddress(is.plusOnWaitlist), does.undoEmail, 200],
    'Plus, and the deletion waits': [is.deletedAtOtherAddress, does.undoEmail, 200],
    'an unknown token': [is.free, does.undoEmail, 410],
  },
  'provider-reminder': {
    'an account with a password': [is.free, does.remindOfProvider, 200],
    'an account of a provider': [is.addressOfAnother, does.remindOfProvider, 200],
  },
  'contract-mail': { 'an account': [is.free, does.mailContractLink, 200] },
  'end-contract': {
    'Free, never bought, which changes nothing': [
      is.withContractLink(is.free),
      does.endContract('show'),
      200,
    ],
    Plus: [is.withContractLink(is.plus), does.endContract('cancel'), 200],
    'an unknown link': [is.free, does.endContract('show'), 410],
  },
  'confirm-sign-up': { 'signed up in another browser': [is.unconfirmed, does.confirmSignUp, 200] },
  sessions: {
    'the first browser': [is.free, does.listSessions, 200],
    'the same session': [is.withBrowser, does.listSessions, 200],
    'another browser': [is.otherBrowser, does.listSessions, 200],
  },
  'end-session': {
    'this one': [is.withBrowser, does.endSession('this'), 200],
    'another browser': [is.withOtherBrowser, does.endSession(), 200],
    'an app': [is.free, does.endSession('id-of-an-app'), 200],
    all: [is.withOtherBrowser, does.endSession('all'), 200],
  },
  'change-provider': {
    'a provider that is not connected': [
      is.free,
      does.ask('change-provider', () => ({ body: { provider: 'Google', connected: false } })),
      200,
    ],
  },
  export: {
    'Free, never bought': [is.free, does.ask('export'), 200],
    Plus: [is.plus, does.ask('export'), 200],
    'on the waitlist': [is.onWaitlist, does.ask('export'), 200],
  },
  'delete-account': {
    'Free, never bought': [is.free, does.deleteAccount, 200],
    'Free, a checkout is open': [is.withOpenCheckout, does.deleteAccount, 200],
    Plus: [is.aMinuteAfter(is.plus), does.deleteAccount, 200],
    'Plus, the address was changed': [is.atOtherAddress, does.deleteAccount, 200],
    'Plus, with a duplicate': [is.aMinuteAfter(is.withDuplicate), does.deleteAccount, 200],
    'past due': [is.pastDue, does.deleteAccount, 200],
    'no row': [is.withoutRow, does.deleteAccount, 200],
    'signed in eleven minutes ago': [is.signedInElevenMinutesAgo, does.deleteAccount, 403],
  },
  waitlist: {
    'a new address': [is.free, does.joinWaitlist, 201],
    'on the waitlist': [is.onWaitlist, does.joinWaitlist, 409],
  },
  'relay-code': {
    'a sign-in for an app': [is.free, does.ask('relay-code', (user) => is.relayCode(user)), 201],
    'an address that is not registered': [
      is.nobody,
      does.ask('relay-code', () => ({
        body: { code: 'code', redirect_uri: 'https://evil.example/', code_challenge: 'x'.repeat(43) },
      })),
      400,
    ],
  },
  // The session is read before Cognito is asked, and counted only afterwards: without Cognito's answer, the
  // app's token stays valid.
  token: {
    'a code': formTo('token', is.codeForm, 200),
    'a used code': formTo('token', is.used(is.codeForm), 400),
    'a refresh token': formTo('token', is.newRefreshForm, 200),
    'a refresh token, its answer was lost': formTo('token', is.used(is.newRefreshForm), 200),
    'a refresh token that comes again later': formTo('token', is.lateAgain, 400),
    'a refresh token, its session has ended': formTo('token', is.signedOutOfApps, 400),
    'no token of ours': formTo('token', async () => is.refreshForm('token'), 400),
  },
  revoke: {
    'a refresh token': formTo('revoke', async (user) => is.revokeForm(await is.signInToApp(user)), 200),
    'no token of ours': formTo('revoke', async () => is.revokeForm('token'), 200),
  },
  'csp-report': { 'a report': [is.nobody, does.ask('csp-report', () => ({ body: [] })), 200] },
  'github-oidc': {
    authorize: step('authorize', 302),
    callback: step('callback', 302),
    token: step('token', 200),
    userinfo: step('userinfo', 200),
    jwks: step('jwks', 200),
  },
  'stripe-webhook': {
    ...rowsOf(handledEventTypes, (type) => [
      // The renewal of a user who is on Plus is near.
      type === 'invoice.upcoming' ? is.plus : is.paid,
      does.hear(type),
      200,
    ]),
    'invoice.paid, Plus': [is.plus, does.hear('invoice.paid'), 200],
    'invoice.paid, no row': [is.paidWithoutRow, does.hear('invoice.paid', { names: false }), 200],
    'customer.subscription.deleted, unpaid': [
      is.endedUnpaid,
      does.hear('customer.subscription.deleted'),
      200,
    ],
    'customer.subscription.updated, by support': [
      is.plus,
      does.hear('customer.subscription.updated', { names: false }),
      200,
    ],
    'checkout.session.completed, a duplicate': [
      is.withDuplicate,
      does.hear('checkout.session.completed'),
      200,
    ],
    'invoice.upcoming, gone from the pool': [is.goneFromThePool, does.hear('invoice.upcoming'), 200],
    'a type that decides no plan': [is.plus, does.hear('charge.succeeded'), 200],
    'a forged signature': [is.afterAMinute, does.hearForged, 400],
    'another forged signature within a minute': [is.afterForged, does.hearForged, 400],
  },
  'schedules/expiry-sweep': scheduled('schedules/expiry-sweep', {
    'nothing is due': is.nobody,
    'one plan has expired': is.expiredInTheLastShard,
  }),
  'schedules/event-catch-up': scheduled('schedules/event-catch-up', {
    'no event': is.caughtUp(is.nobody),
    'one customer has paid': is.caughtUp(is.paid),
  }),
  'schedules/plan-agreement': scheduled('schedules/plan-agreement', {
    'all agree': is.alone(is.plus),
    'one has ended, and the row says Plus': is.alone(is.endedUnheard),
  }),
  'schedules/unconfirmed-sweep': scheduled('schedules/unconfirmed-sweep', {
    'nobody is unconfirmed': is.nobody,
    'one is due': is.unconfirmedForTwoDays,
  }),
  'schedules/billing-tasks': scheduled('schedules/billing-tasks', {
    'nothing is due': is.noTasks(is.nobody),
    'a user is missing for the second time': is.noTasks(is.missedAnHourAgo),
  }),
  'schedules/idle-accounts': scheduled(
    'schedules/idle-accounts',
    {
      'nothing is due': is.nobody,
      'to be warned': is.idle(is.free, 0),
      'to be deleted': is.idle(is.free, 2),
      'to be deleted, Plus before': is.idle(is.ended, 2),
      'idle, on Plus': is.idle(is.plus, 0),
    },
    { task: 'sweep' },
  ),
  // No trigger calls ListUsers: 30 calls a second are allowed, and the quota can't be raised.
  'triggers/post-confirmation': {
    ...sources<PostConfirmationTriggerEvent>(
      { PostConfirmation_ConfirmSignUp: 200, PostConfirmation_ConfirmForgotPassword: 200 },
      does.confirm,
      is.withoutRow,
    ),
    'called again': [is.free, does.confirm(SIGNED_UP), 200],
    'in another browser': [is.withoutRow, does.confirm(SIGNED_UP, false), 200],
    'the owner of the address is gone': [is.addressLeftOver, does.confirm(SIGNED_UP), 200],
    'another account has the address': [is.addressOfAnother, does.confirm(SIGNED_UP), 400],
    'a password was reset': [is.free, does.confirm(RESET), 200],
    'a password was reset, changed a minute ago': [is.changedPassword, does.confirm(RESET), 200],
  },
  'triggers/pre-sign-up': {
    ...sources<PreSignUpTriggerEvent>(
      { PreSignUp_SignUp: 200, PreSignUp_ExternalProvider: 200, PreSignUp_AdminCreateUser: 200 },
      does.signUp,
      is.stranger,
    ),
    'never confirmed before': [is.unconfirmed, does.signUp('PreSignUp_SignUp'), 200],
    'a provider, never confirmed before': [is.unconfirmed, does.signUp('PreSignUp_ExternalProvider'), 200],
    'a provider, linked to an account': [is.free, does.signUp('PreSignUp_ExternalProvider'), 200],
  },
  'triggers/custom-message': {
    ...sources<CustomMessageTriggerEvent>(
      {
        CustomMessage_SignUp: 200,
        CustomMessage_ResendCode: 200,
        CustomMessage_ForgotPassword: 200,
        CustomMessage_UpdateUserAttribute: 400,
        CustomMessage_VerifyUserAttribute: 400,
        CustomMessage_AdminCreateUser: 200,
        CustomMessage_Authentication: 200,
      },
      does.writeMessage,
    ),
    'to sign up again': [is.unconfirmed, does.writeMessage('CustomMessage_ResendCode', SIGN_UP_AGAIN), 400],
  },
  'triggers/pre-token-generation': {
    ...sources<PreTokenGenerationTriggerEvent>(
      {
        TokenGeneration_Authentication: 200,
        TokenGeneration_HostedAuth: 200,
        TokenGeneration_RefreshTokens: 200,
        TokenGeneration_NewPasswordChallenge: 200,
        TokenGeneration_AuthenticateDevice: 200,
      },
      does.useAccount,
    ),
    'warned as idle': [is.idle(is.free, 1), does.useAccount('TokenGeneration_Authentication'), 200],
    'no row': [is.withoutRow, does.useAccount('TokenGeneration_Authentication'), 200],
    'no provider': [is.free, does.useAccount('TokenGeneration_HostedAuth', '[]'), 400],
    'two days later': [is.freeForDays, does.useAccount('TokenGeneration_RefreshTokens'), 200],
  },
  'events/undeliverable-mail': {
    'a code': [is.free, does.returnMail(() => ({})), 200],
    'a warning': [
      is.idle(is.free, 1),
      does.returnMail(({ id }) => ({ notice: ['account-idle'], user: [id] })),
      200,
    ],
  },
};

// A session that has ended is refused by each route that asks for one.
for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
  if (endpoint.caller !== 'bearer' || endpoint.endedSession === 'accepted') continue;
  const rows = table[name as RouteName];
  const [[, act]] = Object.values(rows) as [Row];
  rows['the session has ended'] = [is.signedOut(), act, 401];
}
