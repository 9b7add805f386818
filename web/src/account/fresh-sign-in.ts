import { persistentStorage, tabStorage } from '../session/browser-storage.ts';
import { type PendingSignIn, storePendingSignIn } from '../session/pending-sign-in.ts';
import { signInWithProvider } from './provider-sign-in.ts';
import { setSession, type User } from '../session/session.ts';
import { leaveSession } from '../session/session-lifecycle.ts';
import { announceToOtherTabs } from '../session/sign-in-notice.ts';
import { hostedSignOutAddress, revokeAndClear } from '../session/sign-out.ts';
import { configureAmplify } from '../session/tokens.ts';

/** Signs out, also of the hosted domain, whose session is no fresher, and begins a new sign-in. */
export async function signInAgain({ provider }: User, path: string): Promise<void> {
  await configureAmplify();
  const address = await hostedSignOutAddress('/login');
  leaveSession();
  announceToOtherTabs(persistentStorage(), 'other-tab');
  await revokeAndClear();
  if (provider !== null) storePendingSignIn(tabStorage(), { provider, path });
  location.assign(address ?? '/login');
}

/** The second half, after the hosted domain has redirected to the sign-in page. */
export async function continueSignIn({ provider, path }: PendingSignIn): Promise<void> {
  const { message } = await signInWithProvider(provider, path);
  setSession({ kind: 'signed-out', refusal: message });
}
