import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Clock } from '../../base/clock.ts';
import type { Authorized } from './event.ts';

type Verdict =
  | { kind: 'authorized'; authorized: Authorized }
  | { kind: 'refused'; status: 401 | 403; challenge: string };

/** An HTTP API's JWT authorizer, which checks a token's signature, issuer, audience, times and scopes. */
export class JwtAuthorizer {
  readonly #issuer: string;
  readonly #audience: readonly string[];
  readonly #clock: Clock;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;

  constructor({ issuer, audience, clock }: { issuer: string; audience: readonly string[]; clock: Clock }) {
    this.#issuer = issuer;
    this.#audience = audience;
    this.#clock = clock;
    this.#keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  }

  /** `scopes`: the token must have one of these, unless the list is empty. */
  async judge(authorization: string | undefined, scopes: readonly string[]): Promise<Verdict> {
    const token = authorization?.replace(/^Bearer\s+/i, '').trim();
    if (!token) return { kind: 'refused', status: 401, challenge: 'Bearer' };
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, this.#keys, {
        issuer: this.#issuer,
        // API Gateway accepts RSA only.
        algorithms: ['RS256', 'RS384', 'RS512'],
        requiredClaims: ['exp'],
        currentDate: this.#clock.now(),
      }));
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      return refused(401, 'invalid_token', 'the token is not valid');
    }
    // API Gateway refuses tokens from the future; jose checks that only together with a maximum age.
    if ((payload.iat ?? 0) * 1000 > this.#clock.now().getTime()) {
      return refused(401, 'invalid_token', 'the token was issued in the future');
    }
    if (!this.#hasAudience(payload))
      return refused(401, 'invalid_token', 'the token has an invalid audience');
    const held = scopesOf(payload);
    if (scopes.length > 0 && !scopes.some((scope) => held.includes(scope))) {
      return refused(403, 'insufficient_scope', 'the token does not have the required scope', scopes);
    }
    const claims = Object.fromEntries(
      Object.entries(payload).map(([name, value]) => [name, claimText(value)]),
    );
    return { kind: 'authorized', authorized: { claims, scopes: scopes.length > 0 ? held : null } };
  }

  // `client_id` counts only in a token without `aud`, like Cognito's access tokens.
  #hasAudience({ aud, client_id: clientId }: JWTPayload): boolean {
    const named = aud === undefined ? [clientId] : [aud].flat();
    return named.some((name) => typeof name === 'string' && this.#audience.includes(name));
  }
}

function refused(
  status: 401 | 403,
  error: string,
  description: string,
  scopes: readonly string[] = [],
): Verdict {
  return {
    kind: 'refused',
    status,
    challenge: `Bearer scope="${scopes.join(' ')}" error="${error}" error_description="${description}"`,
  };
}

function scopesOf({ scope, scp }: JWTPayload): string[] {
  const held = scope ?? scp;
  if (Array.isArray(held)) return held.map(String);
  return typeof held === 'string' ? held.split(' ') : [];
}

// API Gateway passes claims as strings, and lists as `[a b]`.
function claimText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(String).join(' ')}]`;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
