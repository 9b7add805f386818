import { decodeJwt } from 'jose';
import * as z from 'zod/mini';
import type { VariablesOf } from '../../../schemas/config/environment.ts';

/** Cognito doesn't answer, or answers unexpectedly. The error contains no token and no code. */
export class RelayClientFailure extends Error {
  constructor(request: string, fault: string | number) {
    super(`${request}: ${fault}`);
    this.name = 'RelayClientFailure';
  }
}

// Milliseconds. API Gateway gives up after 30 s; Cognito answers within one.
const TIME_LIMIT = 8_000;

const text = z.string().check(z.minLength(1));

const Tokens = z.object({
  access_token: text,
  id_token: z.optional(text),
  /** Absent after a refresh, unless the user pool rotates refresh tokens. */
  refresh_token: z.optional(text),
  /** Seconds. */
  expires_in: z.number(),
});

/** `scope`: separated by spaces. */
const Claims = z.object({ sub: text, scope: z.string() });

/** The tokens that Cognito issues to the relay's client, with claims of the access token. */
export type CognitoTokens = z.infer<typeof Tokens> & z.infer<typeof Claims>;

const Refused = z.object({ error: z.literal('invalid_grant') });

/** Its id, which is public. */
export const clientId = ({ RELAY_CLIENT_ID }: { RELAY_CLIENT_ID: string }): string => RELAY_CLIENT_ID;

/** The user pool's hosted domain, for the relay's client. Refused grants resolve with undefined. */
export function relayClient(of: VariablesOf<'relayClient'>) {
  const { SIGN_IN_ORIGIN, RELAY_CLIENT_ID, RELAY_CALLBACK } = of;
  const post = async (path: string, form: Record<string, string>): Promise<Response> => {
    try {
      return await fetch(`${SIGN_IN_ORIGIN}${path}`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: RELAY_CLIENT_ID, ...form }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIME_LIMIT),
      });
    } catch (error) {
      throw new RelayClientFailure(path, error instanceof Error ? error.name : 'no answer');
    }
  };

  const grant = async (form: Record<string, string>): Promise<CognitoTokens | undefined> => {
    const path = '/oauth2/token';
    const response = await post(path, form);
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.status === 400 && Refused.safeParse(answer).success) return undefined;
    if (!response.ok) throw new RelayClientFailure(path, response.status);
    try {
      const tokens = Tokens.parse(answer);
      // Cognito itself has just sent the access token: its signature needs no check.
      return { ...tokens, ...Claims.parse(decodeJwt(tokens.access_token)) };
    } catch {
      throw new RelayClientFailure(path, 'an answer of an unexpected shape');
    }
  };

  return {
    /** Each code can be tried once. */
    redeem: (code: string, code_verifier: string) =>
      grant({ grant_type: 'authorization_code', code, code_verifier, redirect_uri: RELAY_CALLBACK }),

    refresh: (refresh_token: string) => grant({ grant_type: 'refresh_token', refresh_token }),

    /** Ends the session of a refresh token. Does nothing if it is over. */
    async revoke(refreshToken: string) {
      const path = '/oauth2/revoke';
      const response = await post(path, { token: refreshToken });
      // Frees the connection.
      await response.text();
      if (!response.ok) throw new RelayClientFailure(path, response.status);
    },
  };
}
export type RelayClient = ReturnType<typeof relayClient>;
