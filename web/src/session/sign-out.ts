import { siteConfig } from '../pages/site-config.ts';
import { persistentStorage, rememberedUser, tabStorage } from './browser-storage.ts';
import { clearStorage } from './clear-session.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { endSession, leaveSession, stayAfterAll, stopTokenRefresh } from './session-lifecycle.ts';
import { announceToOtherTabs, storeSignInNotice } from './sign-in-notice.ts';
import { clearTokens, configureAmplify, isFromProvider, storedTokens } from './tokens.ts';

/** Ends the session here and at Cognito, whose refusals all mean that there is no session. */
export async function signOut(): Promise<void> {
  await revokeAndClear();
  endSession();
}

interface Leaving {
  /** The path of this site to open after the next sign-in; null for the dashboard. */
  from: string | null;
  notice?: 'signed-out' | 'signed-out-everywhere';
  /** Called with the access token before it is revoked. */
  beforeRevoking?: (accessToken: string) => Promise<unknown>;
}

/**
 * Signs out and loads the sign-in page, so that no user data stay in this tab's memory. The page shows
 * `notice`. Resolves with false if Cognito couldn't be told: then this page stays, because no page may be
 * loadable, and the sign-in page, to which the caller has to lead, says so.
 */
export async function signOutAndLeave({
  from,
  notice = 'signed-out',
  beforeRevoking,
}: Leaving): Promise<boolean> {
  await configureAmplify().catch(() => undefined);
  const address = await hostedSignOutAddress('/login');
  leaveSession();
  announceToOtherTabs(persistentStorage(), notice === 'signed-out' ? 'other-tab' : notice);
  const isRevoked = await revokeAndClear(beforeRevoking);
  if (!isRevoked && notice === 'signed-out') {
    stayAfterAll('not-revoked');
    return false;
  }
  storeSignInNotice(tabStorage(), { notice, from });
  location.assign(address ?? '/login');
  return true;
}

/**
 * Clears this browser's storage at once, whatever other tabs and the network do, and then revokes the tokens.
 * The session in memory stays. Resolves with whether the session has ended at Cognito.
 */
export async function revokeAndClear(beforeRevoking?: Leaving['beforeRevoking']): Promise<boolean> {
  stopTokenRefresh();
  // Without the configuration nothing can be revoked, but the storage is cleared anyway.
  await configureAmplify().catch(() => undefined);
  const tokens = await storedTokens();
  const isUnreadable = tokens === null && rememberedUser() !== null;
  await clear();
  if (tokens) await beforeRevoking?.(tokens.accessToken.toString());
  const isRevoked = tokens ? await revokeTokens(tokens) : !isUnreadable;
  // Another tab may have stored renewed tokens in the instant in which this one cleared the storage.
  await clear();
  return isRevoked;
}

async function clear(): Promise<void> {
  // Where storage is forbidden, Amplify keeps the tokens in memory.
  await clearTokens().catch(() => undefined);
  clearStorage();
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
