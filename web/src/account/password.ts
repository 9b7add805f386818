import { UNSUPPORTED_STEP, WENT_WRONG, refusedBy } from './auth-sentence.ts';
import { type Outcome, type Refused, refused } from './outcome.ts';
import { endSession } from '../session/session-lifecycle.ts';
import { currentSession, setSession } from '../session/session.ts';
import { freshSession, isUncertain, signingInAfter } from './sign-in-after.ts';
import { withTokenLock } from '../session/token-lock.ts';

/** Signs in again, so that the session counts as fresh. A wrong password changes nothing in any tab. */
export async function confirmPassword(password: string): Promise<Outcome> {
  const session = currentSession();
  if (session.kind !== 'signed-in') return refused(WENT_WRONG);
  try {
    const fresh = await freshSession(session.user, password);
    if (!fresh) return refused(UNSUPPORTED_STEP);
    if (!(await withTokenLock(fresh.replaceStored))) return refused(WENT_WRONG);
    setSession({ kind: 'signed-in', user: fresh.user });
    return { kind: 'done' };
  } catch (error) {
    return refusedBy(error, 'confirm-password');
  }
}

/** `sessionsEnded`: whether every other session has certainly ended. */
type PasswordChange = { kind: 'done'; sessionsEnded: boolean } | Refused;

/** Changes the password, and signs in again: every session ends. If that fails, this one ends too. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<PasswordChange> {
  const session = currentSession();
  if (session.kind !== 'signed-in') return refused(WENT_WRONG);
  const { call, isSignedIn, signIn } = signingInAfter(session.user, newPassword);
  const answer = await call('change-password', { body: { currentPassword, newPassword } });
  if (!answer.ok) {
    // If only the answer was lost, the password has changed anyway, and the new password signs in.
    if (isUncertain(answer.code) && (await signIn())) return { kind: 'done', sessionsEnded: false };
    return refused(answer.sentence);
  }
  const { sessionsEnded } = answer.value;
  if (sessionsEnded && !isSignedIn()) endSession('password-changed');
  return { kind: 'done', sessionsEnded };
}
