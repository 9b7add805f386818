/** Error codes of RFC 6749 (4.1.2.1 and 5.2), RFC 7009 and RFC 6750 that Cognito uses. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_token'
  | 'server_error'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_token_type';

/** A refusal that the client gets, in its redirect address or in the response body. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Empty if Cognito gives only the code. */
  readonly description: string;
  /** Status of a response to a call. Redirects are always 302. */
  readonly status: number;

  constructor(code: OAuthErrorCode, description = '', status = 400) {
    super(description || code);
    this.code = code;
    this.description = description;
    this.status = status;
  }
}

/** A refusal shown to the user, because the client's redirect address is not validated. */
export class PageError extends Error {}
