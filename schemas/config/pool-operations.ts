/**
 * Cognito's operations that a token alone allows, by who calls them: the site, or functions with a user's
 * token. The pool's firewall refuses all others. Calls with AWS credentials don't pass the firewall.
 */
export const poolOperations = {
  SignUp: 'site',
  ResendConfirmationCode: 'site',
  ConfirmSignUp: 'site',
  UpdateUserAttributes: 'site',
  GetTokensFromRefreshToken: 'site',
  RevokeToken: 'site',
  InitiateAuth: 'site',
  RespondToAuthChallenge: 'site',
  GetUser: 'functions',
} as const satisfies Record<string, 'site' | 'functions'>;

export type PoolOperation = keyof typeof poolOperations;

export type PoolOperationOf<Caller extends (typeof poolOperations)[PoolOperation]> = {
  [O in PoolOperation]: (typeof poolOperations)[O] extends Caller ? O : never;
}[PoolOperation];
