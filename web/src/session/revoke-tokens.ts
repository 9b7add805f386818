import { callCognito, CognitoError } from './call-cognito.ts';
import { sessionEndOf } from './session-end.ts';
import type { StoredTokens } from './tokens.ts';

// Milliseconds. The user may wait for the answer.
const LIMIT = 3_000;

// These statuses mean that there is no session.
const ENDED: readonly number[] = [401, 403, 404];

/** Ends the session of the tokens at Cognito. Resolves with whether it has ended. */
export async function revokeTokens({ refreshToken = '' }: StoredTokens): Promise<boolean> {
  try {
    await callCognito('RevokeToken', { Token: refreshToken }, LIMIT);
    return true;
  } catch (error) {
    const status = error instanceof CognitoError ? error.metadata.httpStatusCode : 0;
    return ENDED.includes(status) || sessionEndOf(error) !== null;
  }
}
