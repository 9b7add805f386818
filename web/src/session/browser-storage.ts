import { expiredCookies } from './expired-cookies.ts';

// Amplify's own key; behind it stands the client's id, which a public page doesn't know before config.json.
const LAST_USER = /^CognitoIdentityServiceProvider\.[^.]+\.LastAuthUser$/;
const AMPLIFY = /^(CognitoIdentityServiceProvider\.|com\.amplify\.)/;

/** Whether a storage key tells who is signed in. */
export const tellsWho = (key: string): boolean => LAST_USER.test(key);

/** Who Amplify last kept tokens for in this browser, or null. That they are still good is not said. */
export function rememberedUser(): string | null {
  const key = Object.keys(localStorage).find(tellsWho);
  return key === undefined ? null : localStorage.getItem(key);
}

// The relay signs people in for other apps, signed in here or not; what it notes about one on its way is no session of ours.
const isRelaying = (key: string): boolean =>
  key.startsWith('relay.') && location.pathname.startsWith('/oauth/');

/** Clears local storage, session storage and cookies, all but the tokens: signing out still has to revoke them. */
export function forgetAllButTokens(): void {
  for (const key of Object.keys(localStorage)) if (!AMPLIFY.test(key)) localStorage.removeItem(key);
  for (const key of Object.keys(sessionStorage)) if (!isRelaying(key)) sessionStorage.removeItem(key);
  for (const cookie of expiredCookies(document.cookie, location.hostname)) document.cookie = cookie;
}

/** Clears local storage, session storage and cookies. */
export function forgetEverything(): void {
  forgetAllButTokens();
  localStorage.clear();
}
