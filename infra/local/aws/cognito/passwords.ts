import { CognitoError } from './errors.ts';
import type { UserPool } from './pools.ts';

/** Refuses a password that is shorter than the pool's policy allows. */
export function checkPolicy({ settings }: UserPool, password: string): void {
  // Cognito's default minimum is eight.
  if (password.length >= (settings.Policies?.PasswordPolicy?.MinimumLength ?? 8)) return;
  throw new CognitoError(
    'InvalidPasswordException',
    'Password did not conform with policy: Password not long enough',
  );
}
