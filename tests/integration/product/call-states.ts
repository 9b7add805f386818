import { createHash, randomBytes } from 'node:crypto';
import { EXPIRY_SHARDS } from '../../../functions/domain/expiry-shard.ts';
import type { Call } from '../../fixtures/fakes/http-event.ts';
import {
  APP_ADDRESS,
  poolId,
  RELAY_CALLBACK,
  RELAY_CLIENT,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';
import * as does from './call-requests.ts';
import { after, type Given } from './call-requests.ts';

// States of a user.

export const nobody: Given = async () => ({ id: '', email: '', token: '', authTime: 0 });
/** Somebody without an account, whose account was deleted before it was confirmed. */
export const unknown: Given = async () => ({ ...(await nobody()), email: 'user-0@example.com' });
export const withoutRow: Given = () => does.product.signUp();
export const unconfirmed: Given = () => does.product.beginSignUp();
export const unconfirmedHere: Given = () => does.product.beginSignUp(does.attribute);
export const unconfirmedForTwoDays = after(unconfirmed, does.passes(2 * DAY));
export const free = after(withoutRow, does.confirm('PostConfirmation_ConfirmSignUp'), does.readPlan);
export const withOpenCheckout = after(free, does.buy);
export const paid = after(withOpenCheckout, does.pays());
export const plus = after(paid, does.returnFromCheckout);
export const ending = after(plus, does.cancel);
export const expired = after(ending, does.aMonthPasses);
export const expiredInTheLastShard = after(expired, does.lastShardIsAsked);
export const pastDue = after(
  withOpenCheckout,
  does.pays('4000 0000 0000 0341'),
  does.returnFromCheckout,
  does.aMonthPasses,
);
/** The end of the subscription was not heard of, nor what it left open. */
export const endedUnpaid = after(pastDue, does.endsAtStripe);
/** Plus ended, and its end was heard of. */
export const ended = after(plus, does.endsAtStripe, does.hear('customer.subscription.deleted'));
/** Plus ended three hours ago, and its end was not heard of. */
export const endedUnheard = after(plus, does.endsAtStripe, does.passes(3 * HOUR));
export const withDuplicate = after(plus, does.buysAgain);
export const plusOnWaitlist = after(plus, does.joinsWaitlist);
export const goneFromThePool = after(plus, does.leavesThePool);
export const withBrowser = after(free, does.listSessions);
/** A browser of another session. */
export const otherBrowser = after(withBrowser, does.signsIn);
export const withOtherBrowser = after(otherBrowser, does.notesOtherSession);
export const addressOfAnother = after(withoutRow, (user) =>
  does.product.giveAddress(user, does.product.makeProviderAccount(user)),
);
export const withContractLink = after(plus, does.mailLink('end-contract'));
/** Its mail has a link that disconnects the provider. */
export const linked = after(free, does.signUp('PreSignUp_ExternalProvider'));
export const withSignUpLink = (given: Given) => after(given, does.writeMessage('CustomMessage_SignUp'));
export const withTicket = after(withSignUpLink(unconfirmed), does.confirmSignUp());
/** Has asked for another address, and proved it. */
export const withProvedAddress = after(plusOnWaitlist, does.changeEmail, does.proveAddress);
export const provedAWeekAgo = after(withProvedAddress, does.passes(7 * DAY));
/** In the shard that is asked last this hour. */
export const idle = (given: Given, warnings: number) =>
  after(
    given,
    does.changesRow(() => ({
      idle_due_at: does.inMilliseconds(-HOUR),
      idle_shard: (Math.floor(Date.now() / HOUR) + EXPIRY_SHARDS - 1) % EXPIRY_SHARDS,
      idle_warnings: warnings,
    })),
  );
export const paidAfterCatchUp = after(
  nobody,
  does.run('schedules/event-catch-up'),
  paid,
  does.passes(60_000),
);
export const missedAnHourAgo = after(
  goneFromThePool,
  does.hear('invoice.upcoming'),
  does.passes(HOUR + 60_000),
);

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
  const code = does.product.cognito.codes.issue({
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
  const { body } = await does.product.ask('relay-code', undefined, relayCode(user, code_verifier));
  const code = String(body['code']);
  const app = { client_id: RELAY_CLIENT, redirect_uri: APP_ADDRESS };
  return formOf({ grant_type: 'authorization_code', ...app, code, code_verifier });
};
const tokenBy = async (form: Call): Promise<string> =>
  String((await does.product.ask('token', undefined, form)).body['refresh_token']);
/** Resolves with the app's refresh token. */
export const signInToApp = async (user: User): Promise<string> => tokenBy(await codeForm(user));
export const lateAgain = async (user: User): Promise<Call> => {
  const token = await signInToApp(user);
  await tokenBy(refreshForm(await tokenBy(refreshForm(token))));
  return refreshForm(token);
};
