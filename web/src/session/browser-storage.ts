import { expiredCookies } from './expired-cookies.ts';

// Amplify's own keys. A public page doesn't know the client's id in them before config.json is loaded.
const LAST_USER = /^CognitoIdentityServiceProvider\.[^.]+\.LastAuthUser$/;
const AMPLIFY = /^(CognitoIdentityServiceProvider\.|com\.amplify\.)/;

/** Null if the browser forbids storage. Amplify then keeps tokens in memory until the page is reloaded. */
export const persistentStorage = (): Storage | null => unlessForbidden(() => localStorage);
/** The session storage of this tab; null if the browser forbids storage. */
export const tabStorage = (): Storage | null => unlessForbidden(() => sessionStorage);

// If cookies are blocked, reading `localStorage` itself throws a SecurityError.
function unlessForbidden(storage: () => Storage): Storage | null {
  try {
    return storage();
  } catch {
    return null;
  }
}

/** Whether the value under this key names the signed-in user. */
export const isLastUserKey = (key: string): boolean => LAST_USER.test(key);

/** The user whose tokens Amplify last stored in this browser, or null. The tokens may have expired. */
export function rememberedUser(): string | null {
  const local = persistentStorage();
  const key = Object.keys(local ?? {}).find(isLastUserKey);
  return key === undefined ? null : (local?.getItem(key) ?? null);
}

// A relay flow belongs to another app, not to the site's session.
const belongsToRelay = (key: string): boolean =>
  key.startsWith('relay.') && location.pathname.startsWith('/oauth/');

/** Clears storage and cookies, but not the tokens: signing out still has to revoke them. */
export function clearAllButTokens(): void {
  clearLocalButTokens();
  clearTab();
  try {
    for (const cookie of expiredCookies(document.cookie, location)) document.cookie = cookie;
  } catch {
    // A page that can't read cookies has none.
  }
}

function clearLocalButTokens(): void {
  const local = persistentStorage();
  for (const key of Object.keys(local ?? {})) if (!AMPLIFY.test(key)) local?.removeItem(key);
}

function clearTab(): void {
  const tab = tabStorage();
  for (const key of Object.keys(tab ?? {})) if (!belongsToRelay(key)) tab?.removeItem(key);
}

/** Clears local and session storage of a browser without a session. The cookie of a sign-up stays. */
export function clearWithoutSession(): void {
  clearTab();
  persistentStorage()?.clear();
}

/** Clears local storage, session storage and cookies. */
export function clearStorage(): void {
  clearAllButTokens();
  persistentStorage()?.clear();
}
