import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RouteName } from '../../../schemas/api.ts';
import type { backgroundFunctions } from '../../../schemas/background-functions.ts';
import type { Call } from '../../fixtures/fakes/http-event.ts';
import { password, type User } from '../../fixtures/worlds/call-recording-product.ts';
import * as does from './call-requests.ts';
import * as is from './call-states.ts';

/** The state of a user, a request, and the status of its answer. */
type Row = [given: does.Given, act: does.Act, answers: number];

// Without the canary, which the local world's stage doesn't have, and the functions that use neither tables
// nor the pool.
type FunctionName = Exclude<
  RouteName | keyof typeof backgroundFunctions,
  'schedules/canary' | 'csp-report' | 'github-oidc'
>;

const formTo = (name: 'token' | 'revoke', formOf: (user: User) => Promise<Call>, answers = 200): Row => [
  is.free,
  async (user) => (await does.product.ask(name, undefined, await formOf(user))).status,
  answers,
];

/**
 * Every function in the states of its user in which it makes all its calls to tables and to the pool. The
 * product fails a call to which the function's entry gives no right.
 */
const table: Record<FunctionName, Record<string, Row>> = {
  plan: {
    Free: [is.free, does.readPlan, 200],
    'no row': [is.withoutRow, does.readPlan, 200],
    expired: [is.expired, does.readPlan, 200],
  },
  'create-checkout-session': {
    'Free, never bought': [is.withBrowser, does.buy, 200],
    'Free, Plus has ended': [is.ended, does.buy, 200],
    'no row': [is.withoutRow, does.buy, 200],
    'paid, unheard of': [is.paid, does.buy, 409],
  },
  'session-status': {
    'paid, unheard of': [is.paid, does.returnFromCheckout, 200],
    'paid, with a duplicate': [is.withDuplicate, does.returnFromCheckout, 200],
  },
  'cancel-subscription': {
    Plus: [is.plus, does.cancel, 200],
    'past due': [is.pastDue, does.cancel, 200],
  },
  'renew-subscription': { ending: [is.ending, does.renew, 200] },
  billing: { Plus: [is.plus, does.ask('billing'), 200] },
  'billing-portal': { Plus: [is.plus, does.openPortal, 200] },
  'change-password': { 'the right password': [is.free, does.changePassword(password), 200] },
  'change-email': { 'another address': [is.free, does.changeEmail, 200] },
  'address-change': {
    'proved, Plus, and on the waitlist': [is.withProvedAddress, does.approveChange, 200],
    'the old mailbox stops it': [is.withProvedAddress, does.stopChange, 200],
  },
  'mail-link': {
    'from a browser that the account may know': [
      is.free,
      does.mailLink('reset', [`__Host-browser=${'x'.repeat(43)}`]),
      200,
    ],
  },
  'reset-password': {
    'the link disconnects a provider': [is.linked, does.resetPassword, 200],
  },
  'end-contract': { Plus: [is.withContractLink, does.endContract, 200] },
  'confirm-sign-up': {
    'signed up in another browser': [is.withSignUpLink(is.unconfirmed), does.confirmSignUp(), 200],
    'signed up in this browser': [
      is.withSignUpLink(is.unconfirmedHere),
      does.confirmSignUp({ browser: does.metadata['browser'] }),
      200,
    ],
    'the account is gone': [is.withSignUpLink(is.unknown), does.confirmSignUp(), 200],
  },
  sessions: { 'another browser': [is.otherBrowser, does.listSessions, 200] },
  'end-session': {
    'this one': [is.withBrowser, does.endSession('this'), 200],
    'another browser': [is.withOtherBrowser, does.endSession(), 200],
  },
  'change-provider': {
    'a provider that is not connected': [
      is.free,
      does.ask('change-provider', () => ({ body: { provider: 'google', connected: false } })),
      200,
    ],
  },
  export: { Plus: [is.plus, does.ask('export'), 200] },
  'delete-account': {
    'Plus, with a duplicate': [is.withDuplicate, does.deleteAccount, 200],
    'past due': [is.pastDue, does.deleteAccount, 200],
  },
  waitlist: { 'a new address': [is.free, does.joinWaitlist, 201] },
  'relay-code': {
    'a sign-in for an app': [is.free, does.ask('relay-code', (user) => is.relayCode(user)), 201],
  },
  token: {
    'a code': formTo('token', is.codeForm),
    'a refresh token': formTo('token', async (user) => is.refreshForm(await is.signInToApp(user))),
    'a refresh token that comes again later': formTo('token', is.lateAgain, 400),
  },
  revoke: { 'a refresh token': formTo('revoke', async (user) => is.revokeForm(await is.signInToApp(user))) },
  'stripe-webhook': {
    'a duplicate': [is.withDuplicate, does.hear('checkout.session.completed'), 200],
    'gone from the pool': [is.goneFromThePool, does.hear('invoice.upcoming'), 200],
    'ended, unpaid': [is.endedUnpaid, does.hear('customer.subscription.deleted'), 200],
  },
  'schedules/expiry-sweep': {
    'one plan has expired': [is.expiredInTheLastShard, does.run('schedules/expiry-sweep'), 200],
  },
  'schedules/due-accounts': {
    'one plan has expired': [is.expiredInTheLastShard, does.consume('expiry'), 200],
    'to be deleted, Plus before': [is.idle(is.ended, 2), does.consume('idle'), 200],
  },
  'schedules/event-catch-up': {
    'one customer has paid': [is.paidAfterCatchUp, does.run('schedules/event-catch-up'), 200],
  },
  'schedules/plan-agreement': {
    'one has ended, and the row says Plus': [
      is.endedUnheard,
      does.run('schedules/plan-agreement', { restart: true }),
      200,
    ],
  },
  'schedules/unconfirmed-sweep': {
    'one is due': [is.unconfirmedForTwoDays, does.run('schedules/unconfirmed-sweep'), 200],
  },
  'schedules/billing-tasks': {
    'a user is missing for the second time': [is.missedAnHourAgo, does.run('schedules/billing-tasks'), 200],
    'an address changes without approval': [is.provedAWeekAgo, does.run('schedules/billing-tasks'), 200],
  },
  'schedules/idle-accounts': {
    'one is to be deleted': [
      is.idle(is.ended, 2),
      does.run('schedules/idle-accounts', { task: 'feed' }),
      200,
    ],
  },
  'triggers/post-confirmation': {
    'called again': [is.free, does.confirm('PostConfirmation_ConfirmSignUp'), 200],
    'in another browser': [is.withoutRow, does.confirm('PostConfirmation_ConfirmSignUp', false), 200],
    'another account has the address': [
      is.addressOfAnother,
      does.confirm('PostConfirmation_ConfirmSignUp'),
      400,
    ],
  },
  'triggers/pre-sign-up': {
    'never confirmed before': [is.unconfirmed, does.signUp('PreSignUp_SignUp'), 200],
    'a provider, linked to an account': [is.free, does.signUp('PreSignUp_ExternalProvider'), 200],
  },
  'triggers/custom-message': {
    'of a sign-up': [is.unconfirmed, does.writeMessage('CustomMessage_SignUp'), 200],
    'another mail': [is.unconfirmed, does.writeMessage('CustomMessage_ResendCode'), 200],
  },
  'triggers/sign-in-by-ticket': {
    'of a sign-up': [is.withTicket, does.bringTicket, 200],
  },
  'triggers/pre-token-generation': {
    'warned as idle': [is.idle(is.free, 1), does.useAccount('TokenGeneration_Authentication'), 200],
    'no provider': [
      is.free,
      does.useAccount('TokenGeneration_HostedAuth', () => ({ identities: '[]' })),
      400,
    ],
    'with Google': [is.free, does.useAccount('TokenGeneration_HostedAuth'), 200],
    'Google gives another address': [is.plusOnWaitlist, does.signInAtNewAddress, 200],
    'its confirmation did not finish': [
      is.withoutRow,
      does.useAccount('TokenGeneration_Authentication'),
      400,
    ],
  },
  'events/undeliverable-mail': {
    'that bounced for good': [is.free, does.returnMail('Bounce'), 200],
    'that bounced for now': [is.idle(is.free, 1), does.returnMail('Bounce', 'Transient'), 200],
    'marked as spam': [is.free, does.returnMail('Complaint'), 200],
  },
};

/**
 * Functions whose round trips a person waits for most often. `calls.txt` has their calls in a warm execution
 * environment, a line for each wait. Why some are there, and why some wait for another:
 *
 * - Cognito GetUser: a session that has ended is refused. It is asked while the row is read, and before
 *   anything else. A second one is for accounts that are deleted meanwhile: before a missing row is created,
 *   and after a new customer is in the row, because a concurrent GET /plan may have created the row again.
 * - GetItem, then GET /v1/subscriptions: the older of two decisions loses by the version that was read before
 *   Stripe was asked. Read at once, an older answer of Stripe could win.
 * - GET /v1/checkout/sessions/:id, then GET /v1/subscriptions: a session that is paid in between shows as a
 *   subscription.
 * - Triggers never call ListUsers: 30 calls a second are allowed, and the quota can't be raised.
 */
const waitedFor = new Set<string>([
  'plan',
  'create-checkout-session',
  'session-status',
  'cancel-subscription',
  'renew-subscription',
  'billing',
  'billing-portal',
  'triggers/post-confirmation',
  'triggers/pre-sign-up',
  'triggers/custom-message',
  'triggers/pre-token-generation',
] satisfies FunctionName[]);

beforeAll(does.startProduct);
afterAll(() => does.product.stop());
afterEach(() => does.product.clear());
beforeEach(() => {
  for (const level of ['info', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  // The adapters' time limits: on a busy machine, calls that are held could reach them.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

/** The contents of `calls.txt`. Calls of one line are made at once. */
const seen: string[] = [];
const see = (heading: string, waves: string[][]): void => {
  const calls = waves.map((wave) => wave.join(' + '));
  // The same call again and again is one line.
  const lines = calls.flatMap((call, at) => {
    if (call === calls[at - 1]) return [];
    const next = calls.findIndex((each, later) => later > at && each !== call);
    const times = (next === -1 ? calls.length : next) - at;
    return [`  ${times > 1 ? `${times} × ` : ''}${call}`];
  });
  seen.push([heading, ...(lines.length > 0 ? lines : ['  no call']), ''].join('\n'));
};

describe.each(Object.entries(table))('%s makes only calls that its entry allows', (name, rows) => {
  test.each(Object.entries(rows))('%s', async (state, [given, act, answers]) => {
    const user = await given();
    expect(await act(user)).toBe(answers);
    if (!waitedFor.has(name)) return;
    // An environment imports a client, and reads what it keeps, when it makes a call for the first time.
    const again = await given();
    const { result, waves } = await does.product.recorder.record(() => act(again));
    expect(result).toBe(answers);
    see(`${name}, ${state}: ${answers}`, waves);
  });
});

test('a change of address is made a week later if the old mailbox says nothing', async () => {
  const user = await is.provedAWeekAgo();
  await does.run('schedules/billing-tasks')(user);
  expect(await does.product.signIn({ email: does.newAddressOf(user) })).toMatchObject({ id: user.id });
});

test('users wait for the calls of calls.txt and for no others', async () => {
  await expect(seen.join('\n')).toMatchFileSnapshot('calls.txt');
});
