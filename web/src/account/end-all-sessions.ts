import { call } from '../api/call.ts';
import { type Outcome, refused } from './outcome.ts';
import { signOutAndLeave } from '../session/sign-out.ts';

const STILL_SIGNED_IN = `We couldn't sign you out everywhere just now. Please try again.`;

/** Ends every session of the account, this one last, and loads the sign-in page. Resolves only on failure. */
export async function signOutEverywhere(): Promise<Outcome> {
  const { ok } = await call('end-session', { body: { session: 'all' } });
  if (!ok) return refused(STILL_SIGNED_IN);
  await signOutAndLeave({ from: null, notice: 'signed-out-everywhere' });
  return { kind: 'done' };
}
