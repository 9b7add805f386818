/** OAuth's errors: RFC 6749, 4.1.2.1 and 5.2; RFC 6750, 3.1; for `access_denied` of a token RFC 8628, 3.5. */
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

/** An expected failure. `description` is for people, and never repeats what the caller sent. */
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
