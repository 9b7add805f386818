import * as z from 'zod/mini';
import { plainText } from '../plain-text.ts';
import { limits } from '../product/product.ts';
import { refusedAs } from './refused-as.ts';

/** Cognito refuses a space at either end as a malformed request. */
const isWeak = (password: string): boolean =>
  password !== password.trim() || password.length < limits.minimumPasswordLength;

/**
 * A password that a user chooses, in the form in which it is the same on every keyboard. At most 256
 * characters: "PasswordType" in Cognito's API reference.
 */
export const NewPassword = z.string().check(
  z.overwrite(plainText),
  z.maxLength(256),
  refusedAs((password) => (isWeak(password) ? 'weak-password' : null)),
);
