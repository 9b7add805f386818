/*
 * Only the browser that signed up may keep the password of the sign-up: anyone can sign up with an address,
 * and its owner may confirm that account. The browser keeps a random secret, the account has the secret's
 * hash, and the confirmation sends the secret. Without it, the confirmation discards name and password.
 */

/** The account's attribute with the SHA-256 of the secret, in base64url. */
export const BROWSER_ATTRIBUTE = 'custom:browser';

/** Key of the secret in the client metadata of ConfirmSignUp. */
export const BROWSER_SECRET = 'browser';
