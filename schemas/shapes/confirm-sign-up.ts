import * as z from 'zod/mini';
import { nameFault } from '../person-name.ts';
import { limits } from '../product/product.ts';
import { MailedCode } from './mailed-code.ts';
import { refusedAs } from './refused-as.ts';

/** Cognito refuses a space at either end as a malformed request. */
const isWeak = (password: string): boolean =>
  password !== password.trim() || password.length < limits.minimumPasswordLength;

/**
 * Confirms a sign-up in another browser than the one that signed up. Name and password are the account's from
 * then on.
 */
export const ConfirmSignUpRequest = z.strictObject({
  /** At most 128 characters: Cognito accepts the address as a user name. */
  email: z.string().check(z.trim(), z.maxLength(128), z.email({ pattern: z.regexes.html5Email })),
  code: MailedCode,
  name: z.string().check(z.trim(), refusedAs(nameFault)),
  /** At most 256 characters: "PasswordType" in Cognito's API reference. */
  password: z.string().check(
    z.maxLength(256),
    refusedAs((password) => (isWeak(password) ? 'weak-password' : null)),
  ),
});

export const ConfirmSignUpResponse = z.object({ success: z.literal(true) });
