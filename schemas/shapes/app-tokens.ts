import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

/** Redeems the code that the app's address got. */
export const CodeGrant = z.object({
  grant_type: z.literal('authorization_code'),
  /** The user pool client of the relay: `relayClientId` in `/config.json`. */
  client_id: text,
  /** In capital or small letters; spaces and hyphens don't count. */
  code: text,
  /** The address to which the code went, as it was sent to `/oauth/start`. */
  redirect_uri: text,
  // RFC 7636, section 4.1.
  code_verifier: z.string().check(z.regex(/^[\w.~-]{43,128}$/)),
});
export type CodeGrant = z.infer<typeof CodeGrant>;

/** Replaces a refresh token, which is then used up. */
const RefreshGrant = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: text,
  refresh_token: text,
});

/** Unknown parameters are ignored. */
export const TokenRequest = z.discriminatedUnion('grant_type', [CodeGrant, RefreshGrant]);

export const AppTokens = z.object({
  /** Reads the plan. */
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds until the access token expires. */
  expires_in: z.number(),
  /** To be sent once, for the next tokens. */
  refresh_token: z.string(),
  /** The granted scopes, separated by spaces. */
  scope: z.string(),
  /** Who signed in. Only if the app asked for `openid email profile`. */
  id_token: z.optional(z.string()),
});
export type AppTokens = z.infer<typeof AppTokens>;
