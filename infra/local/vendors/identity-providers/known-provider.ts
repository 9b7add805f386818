/** A provider's endpoints as absolute addresses, and the issuer of its ID tokens. */
export interface ProviderAddresses {
  authorize: string;
  token: string;
  jwks: string;
  issuer: string;
  /** @default the ID token says all */
  userInfo?: string;
}

/** A provider that Cognito knows by its type. Templates name the client there, and no addresses. */
export interface KnownProvider {
  addresses: ProviderAddresses;
  /** The details in a template besides `client_id` and `authorize_scopes`. */
  details: readonly string[];
  /** The client's secret in a request to the token endpoint. */
  clientSecret: (details: Readonly<Record<string, string>>, now: Date) => string | Promise<string>;
  /** Claims in an answer by `form_post`. The browser alone vouches for them. @default a query answers */
  claimsInForm?: (form: URLSearchParams) => Record<string, string>;
}
