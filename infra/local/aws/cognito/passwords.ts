import { CognitoError } from './errors.ts';
import type { UserPool } from './pools.ts';

// The characters Cognito counts as symbols ("Adding user pool password requirements").
const SYMBOL = /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+\- ]/;

/** Refuses a password the pool's policy doesn't allow, with the first reason that Cognito gives. */
export function checkPolicy({ settings }: UserPool, password: string): void {
  const policy = settings.Policies?.PasswordPolicy ?? {};
  // Eight is Cognito's own minimum where the pool names none.
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
