/** The errors of RFC 6749, 4.1.2.1 and 5.2, of RFC 7009 and RFC 6750, as far as Cognito uses them. */
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

/** A refusal that the client is told: in its redirect address, or in the answer's body. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Empty where Cognito says no more than the code. */
  readonly description: string;
  /** Of an answer to a call; redirects have their own. */
  readonly status: number;

  constructor(code: OAuthErrorCode, description = '', status = 400) {
    super(description || code);
    this.code = code;
    this.description = description;
    this.status = status;
  }
}

/** A refusal for the person alone, since nobody knows whether the address that a client gave is the client's. */
export class PageError extends Error {}
