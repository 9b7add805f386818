import { persistentStorage } from './browser-storage.ts';
import { type PendingSignIn, storePendingSignIn } from './pending-sign-in.ts';
import { signInWithProvider } from './provider-sign-in.ts';
import { setSession, type User } from './session.ts';
import { leaveSession } from './session-lifecycle.ts';
import { announceToOtherTabs } from './sign-in-notice.ts';
import { hostedSignOutAddress, revokeAndClear } from './sign-out.ts';
import { configureAmplify } from './tokens.ts';

/**
 * Signs out of the hosted domain too, and begins a new provider sign-in. Without that sign-out the sign-in
 * would reuse the hosted session, and would be no fresher. The user is taken to `path`, a path of this site.
 */
export async function signInAgain({ provider }: User, path: string): Promise<void> {
  await configureAmplify();
  const address = await hostedSignOutAddress('/login');
  leaveSession();
  announceToOtherTabs(persistentStorage(), 'other-tab');
  await revokeAndClear();
  if (provider !== null) storePendingSignIn({ provider, path });
  location.assign(address ?? '/login');
}

/** The second half, after the hosted domain has redirected to the sign-in page. */
export async function continueSignIn({ provider, path }: PendingSignIn): Promise<void> {
  const { message } = await signInWithProvider(provider, path);
  setSession({ kind: 'signed-out', refusal: message });
}
