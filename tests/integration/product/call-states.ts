import { createHash, randomBytes } from 'node:crypto';
import { EXPIRY_SHARDS } from '../../../functions/domain/expiry-shard.ts';
import type { Call } from '../../fixtures/fakes/http-event.ts';
import { fromCloudFront } from '../../fixtures/fakes/origin-key.ts';
import {
  APP_ADDRESS,
  COGNITO_CALLBACK,
  issuerSecret,
  poolId,
  RELAY_CALLBACK,
  RELAY_CLIENT,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import {
  product,
  type Act,
  type Given,
  after,
  readPlan,
  buy,
  returnFromCheckout,
  cancel,
  cancelComplimentary,
  openPortal,
  listSessions,
  notesOtherSession,
  deleteAccount,
  newAddressOf,
  changeEmail,
  confirmEmail,
  mailContractLink,
  hear,
  hearForged,
  confirm,
  run,
  passes,
  signsIn,
  signsOut,
  leavesThePool,
  pays,
  updatesAtStripe,
  endsAtStripe,
  changesRow,
  inMilliseconds,
  joinsWaitlist,
  aMonthPasses,
  buysAgain,
  losesRow,
  lastShardIsAsked,
} from './call-requests.ts';

// States of a user.

export const nobody: Given = async () => ({ id: '', email: '', token: '', authTime: 0 });
/** Has an address, and no account. */
export const stranger: Given = async () => ({ ...(await nobody()), email: 'stranger-0@example.com' });
export const withoutRow: Given = () => product.signUp();
export const unconfirmed: Given = () => product.beginSignUp();
export const unconfirmedForTwoDays = after(unconfirmed, passes(2 * DAY));
export const free = after(withoutRow, confirm('PostConfirmation_ConfirmSignUp'), readPlan);
export const freeAgain = after(free, passes(HOUR), signsIn);
export const freeForDays = after(free, passes(2 * DAY));
export const withOpenCheckout = after(free, buy);
export const paid = after(withOpenCheckout, pays());
export const plus = after(paid, returnFromCheckout);
export const ending = after(plus, cancel);
export const endingByThePortal = after(
  plus,
  updatesAtStripe(() => ({ cancel_at: Math.floor(Date.now() / 1000) + 10 * 86_400 })),
);
export const expired = after(ending, aMonthPasses);
export const expiredInTheLastShard = after(expired, lastShardIsAsked);
/** The renewal of the portal was not heard of. */
export const expiredAndRenewed = after(
  ending,
  updatesAtStripe(() => ({ cancel_at_period_end: false })),
  aMonthPasses,
);
export const pastDue = after(withOpenCheckout, pays('4000 0000 0000 0341'), returnFromCheckout, aMonthPasses);
/** The end of the subscription was not heard of, nor what it left open. */
export const endedUnpaid = after(pastDue, endsAtStripe);
/** Plus ended, and its end was heard of. */
export const ended = after(plus, endsAtStripe, hear('customer.subscription.deleted'));
/** Plus ended three hours ago, and its end was not heard of. Nothing else ended in the days before. */
export const endedUnheard = after(nobody, passes(3 * DAY), plus, endsAtStripe, passes(3 * HOUR));
export const withDuplicate = after(plus, buysAgain);
export const complimentary = after(
  free,
  changesRow(() => ({ plan: 'plus' })),
);
export const complimentaryEnding = after(complimentary, cancelComplimentary);
export const complimentaryExpired = after(complimentaryEnding, aMonthPasses);
export const closing = after(
  free,
  changesRow(() => ({ closing_until: inMilliseconds(HOUR) })),
);
export const onWaitlist = after(free, joinsWaitlist);
export const plusOnWaitlist = after(plus, joinsWaitlist);
/** The token is still valid, and its session has ended. */
export const signedOut = (given: Given = free) => after(given, signsOut);
export const signedInElevenMinutesAgo = after(free, async (user) => ({
  ...user,
  authTime: user.authTime - 660,
}));
export const withUpdatedCard = after(plus, openPortal('card'));
export const paidWithoutRow = after(paid, losesRow);
export const goneFromThePool = after(plus, leavesThePool);
export const changedPassword = after(
  free,
  changesRow(() => ({ password_mail_at: inMilliseconds(-60_000) })),
);
export const withBrowser = after(free, listSessions);
/** A browser of another session. */
export const otherBrowser = after(withBrowser, signsIn);
export const withOtherBrowser = after(otherBrowser, notesOtherSession);
export const addressLeftOver = after(withoutRow, (user) =>
  product.giveAddress(user, 'deleted-without-release'),
);
export const addressOfAnother = after(withoutRow, (user) =>
  product.giveAddress(user, product.makeProviderAccount(user)),
);
export const withContractLink = (given: Given) => after(given, mailContractLink);
/** Has asked for another address, and has its code. */
export const withCode = (given: Given = free) => after(given, changeEmail());
export const withOtherAddress = (given: Given = free) => after(withCode(given), confirmEmail());
/** A deletion refunds what was paid from its second on. */
export const aMinuteAfter = (given: Given) => after(given, passes(60_000));
const signsInThere: Act = (user) => product.signIn({ email: newAddressOf(user) });
export const atOtherAddress = after(withOtherAddress(aMinuteAfter(plus)), signsInThere);
export const deletedAtOtherAddress = after(withOtherAddress(aMinuteAfter(plus)), async (user) => {
  await deleteAccount(await product.signIn({ email: newAddressOf(user) }));
});
/** A signature that fits no secret leads to a reading of the secret, once a minute. */
export const afterAMinute = after(nobody, passes(60_000));
export const afterForged = after(afterAMinute, hearForged);
/** Without the users of an earlier try, whom a comparison would find too. */
export const alone =
  (given: Given): Given =>
  async () => {
    await product.clear();
    return given();
  };
/** In the shard that is asked last today. */
export const idle = (given: Given, warnings: number) =>
  after(
    given,
    changesRow(() => ({
      idle_due_at: inMilliseconds(-HOUR),
      idle_shard: (Math.floor(Date.now() / DAY) + EXPIRY_SHARDS - 1) % EXPIRY_SHARDS,
      idle_warnings: warnings,
    })),
  );
/** Leaves no event to be read again: each catch-up reads the last ten minutes twice. */
export const caughtUp = (given: Given) => {
  const catchUp = run('schedules/event-catch-up');
  return after(nobody, passes(HOUR), catchUp, passes(HOUR), catchUp, given, passes(60_000));
};
/** Does the tasks that rows before have left. */
export const noTasks = (given: Given) =>
  after(nobody, passes(2 * HOUR), run('schedules/billing-tasks'), given);
export const missedAnHourAgo = after(goneFromThePool, hear('invoice.upcoming'), passes(HOUR + 60_000));

// Requests that are prepared with the answers before them: sign-ins to an app, and with GitHub.

/** A form as apps post it. */
const formOf = (form: Record<string, string>): Call => ({
  rawBody: new URLSearchParams(form).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
export const refreshForm = (refresh_token: string): Call =>
  formOf({ grant_type: 'refresh_token', client_id: RELAY_CLIENT, refresh_token });
export const revokeForm = (token: string): Call => formOf({ client_id: RELAY_CLIENT, token });
const newVerifier = (): string => randomBytes(32).toString('base64url');

/** The page's request: Cognito's code for the user, the app's challenge and its address. */
export const relayCode = ({ id: username }: User, verifier = newVerifier()): Call => {
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const code = product.cognito.codes.issue({
    clientId: RELAY_CLIENT,
    redirectUri: RELAY_CALLBACK,
    scopes: ['openid'],
    nonce: undefined,
    challenge: code_challenge,
    poolId,
    username,
    authTime: Math.floor(Date.now() / 1000),
  });
  return { body: { code, redirect_uri: APP_ADDRESS, code_challenge } };
};
/** The form with which an app redeems its code. */
export const codeForm = async (user: User): Promise<Call> => {
  const code_verifier = newVerifier();
  const { body } = await product.ask('relay-code', undefined, relayCode(user, code_verifier));
  const code = String(body['code']);
  const app = { client_id: RELAY_CLIENT, redirect_uri: APP_ADDRESS };
  return formOf({ grant_type: 'authorization_code', ...app, code, code_verifier });
};
const tokenBy = async (form: Call): Promise<string> =>
  String((await product.ask('token', undefined, form)).body['refresh_token']);
/** Resolves with the app's refresh token. */
export const signInToApp = async (user: User): Promise<string> => tokenBy(await codeForm(user));
export const newRefreshForm = async (user: User): Promise<Call> => refreshForm(await signInToApp(user));
/** A form that comes a second time. */
export const used =
  (prepare: (user: User) => Promise<Call>) =>
  async (user: User): Promise<Call> => {
    const form = await prepare(user);
    await tokenBy(form);
    return form;
  };
export const lateAgain = async (user: User): Promise<Call> => {
  const token = await signInToApp(user);
  await tokenBy(refreshForm(await tokenBy(refreshForm(token))));
  return refreshForm(token);
};
export const signedOutOfApps = async (user: User): Promise<Call> => {
  const token = await signInToApp(user);
  await signsOut(user);
  return refreshForm(token);
};

interface StepAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body?: string;
}
export type AskStep = () => Promise<StepAnswer>;
const step =
  (name: string, { query = {}, rawBody, headers = {}, cookies }: Call = {}): AskStep =>
  async () => {
    const handler = await product.handlerOf('github-oidc');
    const answer = await handler({
      rawQueryString: new URLSearchParams(query).toString(),
      headers: { ...fromCloudFront, ...headers },
      cookies,
      body: rawBody,
      pathParameters: { step: name },
      requestContext: { requestId: 'request', http: { method: rawBody === undefined ? 'GET' : 'POST' } },
    });
    return answer as StepAnswer;
  };
const client = { client_id: 'cognito', redirect_uri: COGNITO_CALLBACK };
/** The steps of a sign-in with GitHub. Each is asked with what the step before handed out. */
export const gitHubSteps = {
  authorize: async (): Promise<AskStep> =>
    step('authorize', { query: { ...client, response_type: 'code', scope: 'openid', state: 'state' } }),
  async callback(): Promise<AskStep> {
    const { headers, cookies } = await (await gitHubSteps.authorize())();
    const back = product.github.authorize(String(headers['location']));
    const cookie = String(cookies?.[0]?.split(';')[0]);
    return step('callback', { query: Object.fromEntries(back.searchParams), cookies: [cookie] });
  },
  async token(): Promise<AskStep> {
    const { headers } = await (await gitHubSteps.callback())();
    const code = new URL(String(headers['location'])).searchParams.get('code') ?? '';
    const client_secret = issuerSecret.clientSecret;
    return step('token', formOf({ grant_type: 'authorization_code', code, ...client, client_secret }));
  },
  async userinfo(): Promise<AskStep> {
    const { body } = await (await gitHubSteps.token())();
    const { access_token } = JSON.parse(String(body)) as { access_token: string };
    return step('userinfo', { headers: { authorization: `Bearer ${access_token}` } });
  },
  jwks: async () => step('jwks'),
};
