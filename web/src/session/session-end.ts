import type { SignInNotice } from './sign-in-notice.ts';

/**
 * Why Cognito refused to refresh a session. Its reference names the exceptions of
 * `GetTokensFromRefreshToken`, but not their messages: that of a revoked token is quoted in aws-sdk-net issue
 * 1936, and that of a blocked account in amazon-cognito-identity-js issue 373. A message that isn't known
 * gives no reason.
 *
 * A new password, a new address and signing out everywhere all revoke the account's refresh tokens, so one
 * can't be told from the other. So does blocking the account.
 */
export function sessionEndOf(error: unknown): SignInNotice {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'UserNotFoundException') return 'gone';
  if (error.name !== 'NotAuthorizedException') return 'unknown';
  if (/\brevoked\b/i.test(error.message)) return 'revoked';
  if (/\bexpired\b/i.test(error.message)) return 'expired';
  return /\bis disabled\b/i.test(error.message) ? 'blocked' : 'unknown';
}
