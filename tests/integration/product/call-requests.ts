import type { DueAccount } from '../../../schemas/config/due-account.ts';
import { batchOf } from '../../fixtures/fakes/memory-queue.ts';
import { EXPIRY_SHARDS, expiryShard } from '../../../functions/domain/expiry-shard.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { api, type RouteName } from '../../../schemas/api.ts';
import type { BackgroundFunction } from '../../../schemas/background-functions.ts';
import type { Call } from '../../fixtures/fakes/http-event.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { browserThatSignsUp, tokenIn } from '../../fixtures/worlds/account.ts';
import { signed } from '../../fixtures/worlds/billing-world.ts';
import {
  type CallRecordingProduct,
  poolId,
  startCallRecordingProduct,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

export let product: CallRecordingProduct;
export async function startProduct(): Promise<void> {
  product = await startCallRecordingProduct();
}

/** Resolves with the status of an answer, or with the user as it is afterwards. */
export type Act = (user: User) => Promise<number | User | undefined | void>;
export type Given = () => Promise<User>;

/** The state of a user after these acts. */
export const after =
  (given: Given, ...acts: Act[]): Given =>
  async () => {
    let user = await given();
    for (const act of acts) {
      const result = await act(user);
      if (typeof result === 'object') user = result;
    }
    return user;
  };

// The requests of a user.

export const ask =
  (name: RouteName, requestOf: (user: User) => Call | Promise<Call> = () => ({})): Act =>
  async (user) =>
    (await product.ask(name, user, await requestOf(user))).status;
/** Without a token. */
const askUnknown =
  (name: RouteName, bodyOf: (user: User) => object): Act =>
  async (user) =>
    (await product.ask(name, undefined, { body: bodyOf(user) })).status;
const sessionOf = async (user: User): Promise<string> =>
  String((await product.rowOf(user))?.['checkout_session_id']);
const subscriptionOf = async (user: User): Promise<string> =>
  String((await product.subscriptionsOf(user))[0]?.id);

export const readPlan = ask('plan');
export const buy = ask('create-checkout-session', ({ id, email }) => ({
  body: { planName: 'plus', userId: id, userEmail: email },
}));
export const returnFromCheckout = ask('session-status', async (user) => ({
  query: { session_id: await sessionOf(user) },
}));
export const cancel = ask('cancel-subscription', async (user) => ({
  body: { subscription_id: await subscriptionOf(user) },
}));
export const renew = ask('renew-subscription', () => ({ body: {} }));
export const openPortal = ask('billing-portal', () => ({ body: { page: 'card' } }));
export const changePassword = (currentPassword: string) =>
  ask('change-password', () => ({ body: { currentPassword, newPassword: 'correct horse 2' } }));
export const listSessions = ask('sessions', () => ({ body: {} }));
/** The session of the other browser of `withOtherBrowser`. */
let otherId = '';
export const notesOtherSession: Act = async (user) => {
  const { sessions } = api.sessions.response.parse((await product.ask('sessions', user, { body: {} })).body);
  otherId = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? '';
};
export const endSession = (session?: string) =>
  ask('end-session', () => ({ body: { session: session ?? otherId } }));
export const deleteAccount = ask('delete-account', () => ({ body: {} }));
export const newAddressOf = ({ email }: User) => email.replace('user-', 'new-');
export const changeEmail = ask('change-email', (user) => ({ body: { newEmail: newAddressOf(user) } }));
/** By the link of the newest mail to the address. */
const decide = (action: 'prove' | 'approve' | 'stop', addressOf: (user: User) => string) =>
  askUnknown('address-change', (user) => ({ token: product.tokenTo(addressOf(user)), action }));
export const proveAddress = decide('prove', newAddressOf);
export const approveChange = decide('approve', ({ email }) => email);
export const stopChange = decide('stop', ({ email }) => email);
export const mailLink =
  (purpose: 'reset' | 'end-contract', cookies: string[] = []): Act =>
  async ({ email }) =>
    (await product.ask('mail-link', undefined, { body: { email, purpose }, cookies })).status;
export const resetPassword = askUnknown('reset-password', ({ email }) => ({
  access_token: product.tokenTo(email),
  newPassword: 'correct horse 2',
}));
export const endContract = askUnknown('end-contract', ({ email }) => ({
  token: product.tokenTo(email),
  action: 'cancel',
}));
/** The ticket of the newest answer to `confirmSignUp`. */
let ticket: string | undefined;
/** By the link in the mail of `writeMessage`. */
export const confirmSignUp =
  (more: object = { account: { name: 'Ada Lovelace', password: 'correct horse' } }): Act =>
  async ({ email }) => {
    const body = { email, token: signUpToken, ...more };
    const answer = await product.ask('confirm-sign-up', undefined, { body });
    ({ ticket } = answer.body as { ticket?: string });
    return answer.status;
  };
export const bringTicket: Act = ({ id: userName }) =>
  trigger('triggers/sign-in-by-ticket', {
    triggerSource: 'VerifyAuthChallengeResponse_Authentication',
    userName,
    request: { challengeAnswer: ticket, userAttributes: { sub: userName } },
  });
export const joinWaitlist = askUnknown('waitlist', ({ email }) => ({ email, name: 'Ada' }));

// The calls of Stripe, Cognito, SES and the schedules.

/** An event about an object of the user's customer. */
export const hear =
  (type: string): Act =>
  async ({ id }) => {
    const customer = String((await product.rowOf({ id }))?.['billing_customer_id']);
    const object = { object: 'object', customer, metadata: markOf(STAGE, id) };
    const created = Math.floor(Date.now() / 1000);
    const { body, headers } = signed({ id: 'evt_1', object: 'event', type, created, data: { object } });
    const signature = String(headers['stripe-signature']);
    const request = { rawBody: body, headers: { 'stripe-signature': signature } };
    return (await product.ask('stripe-webhook', undefined, request)).status;
  };

/** Resolves with 200, and with 400 if the trigger refuses. */
const trigger = async (name: BackgroundFunction, event: object): Promise<number> =>
  product.run(name, { userPoolId: poolId, response: {}, ...event }).then(
    () => 200,
    () => 400,
  );
export const { attribute, metadata } = browserThatSignsUp();
export const confirm =
  (triggerSource: string, inItsBrowser = true): Act =>
  ({ id, email }) =>
    trigger('triggers/post-confirmation', {
      triggerSource,
      userName: id,
      request: {
        userAttributes: { sub: id, email, email_verified: 'true', [attribute.Name]: attribute.Value },
        ...(inItsBrowser && { clientMetadata: metadata }),
      },
    });
/** `attributesOf`: what a provider has written over the account's own. */
export const useAccount =
  (triggerSource: string, attributesOf: (user: User) => Record<string, string> = () => ({})): Act =>
  (user) => {
    const { id: sub, email } = user;
    return trigger('triggers/pre-token-generation', {
      triggerSource,
      userName: sub,
      request: {
        userAttributes: {
          sub,
          email,
          email_verified: 'true',
          identities: '[{"providerName":"Google","userId":"1"}]',
          ...attributesOf(user),
        },
      },
    });
  };
export const signInAtNewAddress = useAccount('TokenGeneration_HostedAuth', (user) => ({
  email: newAddressOf(user),
}));
export const signUp =
  (triggerSource: string): Act =>
  ({ email }) =>
    trigger('triggers/pre-sign-up', {
      triggerSource,
      // Another identity at GitHub for each address.
      userName: `github_${email.replaceAll(/\D/g, '')}`,
      request: { userAttributes: { email, email_verified: 'true', name: 'Ada' } },
    });
/** The token of the newest mail that `writeMessage` wrote. */
let signUpToken: string | undefined;
export const writeMessage =
  (triggerSource: string): Act =>
  async ({ id: userName, email }) => {
    const response: { emailMessage?: string } = {};
    const status = await trigger('triggers/custom-message', {
      triggerSource,
      userName,
      callerContext: { clientId: 'client' },
      request: { codeParameter: '{####}', userAttributes: { email } },
      response,
    });
    signUpToken = tokenIn(response.emailMessage ?? '');
    return status;
  };
export const returnMail =
  (eventType: 'Bounce' | 'Complaint', bounceType = 'Permanent'): Act =>
  ({ id, email }) => {
    const recipients = [{ emailAddress: email }];
    const tags = { notice: ['account-idle'], user: [id] };
    return trigger('events/undeliverable-mail', {
      source: 'aws.ses',
      detail: {
        eventType,
        bounce: { bounceType, bouncedRecipients: recipients },
        complaint: { complainedRecipients: recipients },
        mail: { messageId: '1', tags },
      },
    });
  };
export const run =
  (name: BackgroundFunction, event?: unknown): Act =>
  async () => {
    await product.run(name, event);
    return 200;
  };

/** SQS brings the user's message. */
export const consume =
  (task: DueAccount['task']): Act =>
  async ({ id: user }) => {
    await product.run(
      'schedules/due-accounts',
      batchOf([{ task, user, ...(task === 'idle' && { limit: 100 }) }]),
    );
    return 200;
  };

// Changes beside the product.

export const passes =
  (milliseconds: number): Act =>
  () =>
    product.advance(milliseconds);
export const signsIn: Act = (user) => product.signIn(user);
export const leavesThePool: Act = async ({ token: AccessToken }) =>
  void (await product.cognito.call('DeleteUser', { AccessToken }));
export const pays =
  (card?: string): Act =>
  async (user) =>
    product.pay(await sessionOf(user), card);
export const endsAtStripe: Act = async (user) =>
  void (await product.stripe.stripe.subscriptions.cancel(await subscriptionOf(user)));
export const changesRow =
  (attributes: (user: User) => Record<string, unknown>): Act =>
  (user) =>
    product.changeRow(user, attributes(user));
export const inMilliseconds = (milliseconds: number): string =>
  new Date(Date.now() + milliseconds).toISOString();
export const joinsWaitlist: Act = (user) => product.putOnWaitlist(user);
/** 32 days later, in a new session that has been on the site. */
export const aMonthPasses: Act = async (user) => {
  await product.advance(32 * DAY);
  const later = await product.signIn(user);
  await product.changeRow(later, { last_sign_in_at: inMilliseconds(0) });
  return later;
};
/** A second checkout that is paid too. Its session is in the row. */
export const buysAgain: Act = async (user) => {
  const checkout_session_id = await product.buyAgain(user);
  await product.changeRow(user, { checkout_session_id });
};
/** Each hour, the sweep begins with another shard. */
export const lastShardIsAsked: Act = async ({ id }) => {
  const first = (expiryShard(id) + 1) % EXPIRY_SHARDS;
  const hour = Math.floor(Date.now() / HOUR) % EXPIRY_SHARDS;
  await product.advance(((first - hour + EXPIRY_SHARDS) % EXPIRY_SHARDS) * HOUR);
};
