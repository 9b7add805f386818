import { CognitoError } from './errors.ts';
import type { UserPool } from './pools.ts';

// The characters that Cognito counts as symbols ("Adding user pool password requirements").
const SYMBOL = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+\- ]/;

/** Refuses a password that violates the pool's policy, with Cognito's first reason. */
export function checkPolicy({ settings }: UserPool, password: string): void {
  const policy = settings.Policies?.PasswordPolicy ?? {};
  // Cognito's default minimum is eight.
  if (password.length < (policy.MinimumLength ?? 8)) throw refused('Password not long enough');
  if (policy.RequireUppercase && !/[A-Z]/.test(password))
    throw refused('Password must have uppercase characters');
  if (policy.RequireLowercase && !/[a-z]/.test(password))
    throw refused('Password must have lowercase characters');
  if (policy.RequireNumbers && !/\d/.test(password)) throw refused('Password must have numeric characters');
  if (policy.RequireSymbols && !SYMBOL.test(password)) throw refused('Password must have symbol characters');
}

const refused = (reason: string): CognitoError =>
  new CognitoError('InvalidPasswordException', `Password did not conform with policy: ${reason}`);
