import type { SignInNotice } from './sign-in-notice.ts';

// Amplify ends a session after these errors too. Any other, such as `TooManyRequestsException`, and any
// answer that isn't Cognito's, says nothing about the session.
const FINAL: readonly string[] = [
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'RefreshTokenReuseException',
  'UserNotConfirmedException',
  'UserNotFoundException',
];

/**
 * The reason for which Cognito refused to refresh a session; null if the session goes on. Cognito's reference
 * names the exceptions of `GetTokensFromRefreshToken`, but not their messages: aws-sdk-net issue 1936 quotes
 * the message for a revoked token, amazon-cognito-identity-js issue 373 the one for a blocked account. An
 * unknown message gives no reason.
 *
 * A new password, signing out everywhere and blocking the account all revoke the account's refresh tokens, so
 * the cause can't be told.
 */
export function sessionEndOf(error: unknown): SignInNotice | null {
  if (!(error instanceof Error) || !FINAL.includes(error.name)) return null;
  if (error.name === 'UserNotFoundException') return 'gone';
  if (error.name !== 'NotAuthorizedException') return 'unknown';
  if (/\brevoked\b/i.test(error.message)) return 'revoked';
  if (/\bexpired\b/i.test(error.message)) return 'expired';
  return /\bis disabled\b/i.test(error.message) ? 'blocked' : 'unknown';
}
