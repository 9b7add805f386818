import { plainText } from '../../../schemas/plain-text.ts';
import { limits } from '../../../schemas/product/product.ts';

export const EMAIL_MISSING = 'Please enter your email address.';
export const EMAIL_INVALID = 'Please enter a valid email address.';
export const NAME_MISSING = 'Please enter your name.';
export const PASSWORD_MISSING = 'Please enter your password.';
export const CONFIRMATION_MISSING = 'Please enter the same password again.';
export const CODE_MISSING = 'Please enter the code from our email.';
export const CODE_INCOMPLETE = 'The code has six digits.';
export const PASSWORDS_DIFFER = 'Passwords do not match';
const PASSWORD_TOO_SHORT = `Password must be at least ${limits.minimumPasswordLength} characters` as const;
// Cognito refuses such a password too, but with a regular expression as its message.
const PASSWORD_PADDED = 'Password must not begin or end with a space';
export const CREDENTIALS_MISSING = 'You must provide either an email or phone number and a password.';

type PasswordFault = typeof PASSWORD_TOO_SHORT | typeof PASSWORD_PADDED | typeof PASSWORDS_DIFFER;

/** The fault of a new password, the most basic first; null if the password is valid. */
export function passwordFault(password: string, confirmation: string): PasswordFault | null {
  const plain = plainText(password);
  if (plain !== plain.trim()) return PASSWORD_PADDED;
  if (plain.length < limits.minimumPasswordLength) return PASSWORD_TOO_SHORT;
  if (plain !== plainText(confirmation)) return PASSWORDS_DIFFER;
  return null;
}
