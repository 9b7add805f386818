/**
 * The OAuth errors in use, with their HTTP status: RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750, section 3.1;
 * for `access_denied` at the token endpoint RFC 8628, section 3.5.
 */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_token: 401,
  access_denied: 400,
  unsupported_grant_type: 400,
  server_error: 500,
  temporarily_unavailable: 502,
} as const;

export type OAuthErrorCode = keyof typeof statuses;

/**
 * An expected failure, sent to the caller. `description` is for people, and never repeats what the caller
 * sent.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly description: string;
  readonly status: number;

  constructor(code: OAuthErrorCode, description: string, status: number = statuses[code]) {
    super(`${code}: ${description}`);
    this.name = 'OAuthError';
    this.code = code;
    this.description = description;
    this.status = status;
  }
}
