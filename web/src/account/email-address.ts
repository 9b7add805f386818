import { call } from '../api/call.ts';
import { WENT_WRONG } from './auth-sentence.ts';
import { type Outcome, type Refused, refused } from './outcome.ts';
import { confirmPassword } from './password.ts';
import { endSession } from '../session/session-lifecycle.ts';
import { currentSession } from '../session/session.ts';
import { isUncertain, signingInAfter } from './sign-in-after.ts';

/** Requests a code at the new address. The password proves that the user is still at the keyboard. */
export async function requestAddress(newEmail: string, password: string): Promise<Outcome> {
  const confirmed = await confirmPassword(password);
  if (confirmed.kind === 'refused') return confirmed;
  const answer = await call('change-email', { body: { newEmail } });
  return answer.ok ? { kind: 'done' } : refused(answer.sentence);
}

/** `sessionsEnded`: whether all other sessions have certainly ended. `codeIsVoid`: needs another code. */
type AddressChange = { kind: 'done'; sessionsEnded: boolean } | (Refused & { codeIsVoid: boolean });

/** Changes the address, and signs in again: every session ends. If that fails, this one ends too. */
export async function confirmAddress(
  newEmail: string,
  code: string,
  password: string,
): Promise<AddressChange> {
  const session = currentSession();
  if (session.kind !== 'signed-in') return { ...refused(WENT_WRONG), codeIsVoid: true };
  const { call: callAndSignIn, isSignedIn, signIn } = signingInAfter(session.user, password);
  const answer = await callAndSignIn('confirm-email', { body: { code } });
  if (answer.ok) {
    const { sessionsEnded } = answer.value;
    if (sessionsEnded && !isSignedIn()) endSession('address-changed');
    return { kind: 'done', sessionsEnded };
  }
  if (isUncertain(answer.code) && (await signIn())) {
    const after = currentSession();
    const isChanged = after.kind === 'signed-in' && after.user.email.toLowerCase() === newEmail.toLowerCase();
    if (isChanged) return { kind: 'done', sessionsEnded: false };
  }
  return {
    ...refused(answer.sentence),
    codeIsVoid: answer.code !== 'wrong-code' && answer.code !== 'bad-request',
  };
}
