/**
 * Cognito's operations that anybody may call with no more than a token, and who calls them: the site, by
 * Amplify or itself, or our functions with a user's token. The pool's firewall refuses all others. Calls
 * with AWS credentials, such as those of our triggers and of the canary, don't pass the firewall.
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

/** The operations of one caller. */
export type PoolOperationOf<Caller extends (typeof poolOperations)[PoolOperation]> = {
  [O in PoolOperation]: (typeof poolOperations)[O] extends Caller ? O : never;
}[PoolOperation];
