import { expiredCookies } from './expired-cookies.ts';

// Amplify's own key; behind it stands the client's id, which a public page doesn't know before config.json.
const LAST_USER = /^CognitoIdentityServiceProvider\.[^.]+\.LastAuthUser$/;
const AMPLIFY = /^(CognitoIdentityServiceProvider\.|com\.amplify\.)/;

/** Null where the browser forbids storage. Amplify keeps tokens in memory there, until the page is reloaded. */
export const localStore = (): Storage | null => unlessForbidden(() => localStorage);
/** The storage of this tab; null where the browser forbids storage. */
export const tabStore = (): Storage | null => unlessForbidden(() => sessionStorage);

// Where cookies are blocked, merely naming a storage throws a SecurityError.
function unlessForbidden(storage: () => Storage): Storage | null {
  try {
    return storage();
  } catch {
    return null;
  }
}

/** Whether a storage key tells who is signed in. */
export const tellsWho = (key: string): boolean => LAST_USER.test(key);

/** Who Amplify last kept tokens for in this browser, or null. That they are still good is not said. */
export function rememberedUser(): string | null {
  const local = localStore();
  const key = Object.keys(local ?? {}).find(tellsWho);
  return key === undefined ? null : (local?.getItem(key) ?? null);
}

// The relay signs people in for other apps, signed in here or not; what it notes about one on its way is no session of ours.
const isRelaying = (key: string): boolean =>
  key.startsWith('relay.') && location.pathname.startsWith('/oauth/');

/** Clears local storage, session storage and cookies, all but the tokens: signing out still has to revoke them. */
export function forgetAllButTokens(): void {
  const [local, tab] = [localStore(), tabStore()];
  for (const key of Object.keys(local ?? {})) if (!AMPLIFY.test(key)) local?.removeItem(key);
  for (const key of Object.keys(tab ?? {})) if (!isRelaying(key)) tab?.removeItem(key);
  try {
    for (const cookie of expiredCookies(document.cookie, location.hostname)) document.cookie = cookie;
  } catch {
    // Where cookies can't be read there are none.
  }
}

/** Clears local storage, session storage and cookies. */
export function forgetEverything(): void {
  forgetAllButTokens();
  localStore()?.clear();
}
