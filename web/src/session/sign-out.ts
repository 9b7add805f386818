import * as cognito from 'aws-amplify/auth';
import { siteConfig } from '../pages/site-config.ts';
import { clearAllButTokens, clearStorage, persistentStorage, tabStorage } from './browser-storage.ts';
import { endSession, leaveSession, stopTokenRefresh } from './session-lifecycle.ts';
import { announceToOtherTabs, storeSignInNotice } from './sign-in-notice.ts';
import { configureAmplify, isFromProvider, storedTokens, withTokenLock } from './tokens.ts';

/** Ends the session here and at Cognito, whose refusals all mean that there is no session. */
export async function signOut(): Promise<void> {
  await revokeAndClear();
  endSession();
}

/**
 * Signs out and loads the sign-in page, so that no user data stay in this tab's memory. The page shows
 * `notice`. `from`: the path of this site to open after the next sign-in; null for the dashboard.
 */
export async function signOutAndLeave(
  from: string | null,
  notice: 'signed-out' | 'signed-out-everywhere' = 'signed-out',
): Promise<void> {
  await configureAmplify().catch(() => undefined);
  const address = await hostedSignOutAddress('/login');
  leaveSession();
  announceToOtherTabs(persistentStorage(), notice === 'signed-out' ? 'other-tab' : notice);
  await revokeAndClear();
  storeSignInNotice(tabStorage(), { notice, from });
  location.assign(address ?? '/login');
}

/** Revokes the tokens and clears this browser's storage. The session in memory stays. */
export async function revokeAndClear(): Promise<void> {
  stopTokenRefresh();
  // Without the configuration nothing can be revoked, but the storage is cleared anyway.
  await configureAmplify().catch(() => undefined);
  return withTokenLock(async () => {
    clearAllButTokens();
    await cognito.signOut().catch(() => undefined);
    clearStorage();
  });
}

/**
 * The address that signs out of the hosted domain and redirects to `path`, which the user pool knows; null
 * for a session that began with a password. The hosted domain has its own session cookie: while the cookie
 * exists, the next user who presses the provider's button is signed in to this account without being asked.
 */
export async function hostedSignOutAddress(path: '/login' | '/'): Promise<string | null> {
  if (!isFromProvider(await storedTokens())) return null;
  const { signInOrigin, userPoolClientId } = await siteConfig();
  const query = new URLSearchParams({ client_id: userPoolClientId, logout_uri: location.origin + path });
  return `${signInOrigin}/logout?${query.toString()}`;
}

/**
 * Clears this browser's data of a deleted account. The session in memory stays, since the page that reports
 * the deletion depends on it. Resolves with the address to open next: the home page, through the hosted
 * domain's sign-out if the session came from a provider.
 */
export async function forgetDeletedAccount(): Promise<string> {
  const address = await hostedSignOutAddress('/').catch(() => null);
  announceToOtherTabs(persistentStorage(), 'deleted');
  await revokeAndClear();
  return address ?? '/';
}
