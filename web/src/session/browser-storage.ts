// Amplify's own keys. A public page doesn't know the client's id in them before config.json is loaded.
const LAST_USER = /^CognitoIdentityServiceProvider\.[^.]+\.LastAuthUser$/;

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

/** Removes what Amplify stored of a user. */
export function forgetUser(user: string): void {
  const local = persistentStorage();
  // An Amplify key has the client's id, the user's name, and the name of the value.
  for (const key of Object.keys(local ?? {})) if (key.includes(`.${user}.`)) local?.removeItem(key);
}
