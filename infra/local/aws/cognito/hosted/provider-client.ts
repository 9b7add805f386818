import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { Clock } from '../../../base/clock.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { OAuthError } from './oauth-error.ts';

export interface Profile {
  /** The provider's own id for the account. */
  id: string;
  claims: Record<string, unknown>;
}

const Tokens = z.object({ access_token: z.string(), id_token: z.string() });
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
const Claims = z.looseObject({ sub: z.string().check(z.minLength(1)) });
const Refusal = z.object({ error: z.string(), error_description: z.optional(z.string()) });

// Milliseconds. Longer than a healthy provider needs, and short enough for a waiting user.
const TIMEOUT = 5000;

/** Calls identity providers from the server side. Failures are `OAuthError`s in Cognito's words. */
export class ProviderClient {
  readonly #clock: Clock;
  readonly #origin: string;

  constructor({ clock, origin }: { clock: Clock; origin: string }) {
    this.#clock = clock;
    this.#origin = origin;
  }

  /** The profile of the account that `code` belongs to. `nonce` is that of the redirect to the provider. */
  async profile(provider: IdentityProvider, code: string, nonce: string): Promise<Profile> {
    const { access_token, id_token } = await this.#tokens(provider, code);
    const claimed = await this.#identity(provider, id_token);
    if (claimed['nonce'] !== nonce) throw failed('Bad id_token nonce');
    const { userInfo } = provider.addresses;
    if (userInfo === undefined) return { id: claimed.sub, claims: claimed };
    const described = await this.#userInfo(provider, userInfo, access_token);
    // OpenID Connect Core, 5.3.2: the response must not be used if `sub` differs.
    if (described.sub !== claimed.sub) throw failed('Bad userInfo sub');
    return { id: claimed.sub, claims: { ...claimed, ...described } };
  }

  async #tokens(provider: IdentityProvider, code: string): Promise<z.infer<typeof Tokens>> {
    const response = await call(provider.addresses.token, 'Timeout occurred in calling IdP token endpoint', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: `${this.#origin}/oauth2/idpresponse`,
        client_id: provider.client.id,
        client_secret: await provider.client.secret(this.#clock.now()),
      }),
    });
    const body = await jsonOf(response);
    if (!response.ok) {
      // "Managed login and federation error responses": an OAuth error is passed on after name and status.
      const { error = 'error getting token', error_description } = Refusal.safeParse(body).data ?? {};
      throw failed(
        [`${provider.name} Error -`, response.status, error, error_description].filter(Boolean).join(' '),
      );
    }
    const tokens = Tokens.safeParse(body);
    if (!tokens.success) throw failed(`${provider.name} Error - ${response.status} error getting token`);
    return tokens.data;
  }

  async #identity(provider: IdentityProvider, idToken: string): Promise<z.infer<typeof Claims>> {
    const { issuer, jwks } = provider.addresses;
    const response = await call(jwks, 'Timeout in calling jwks uri');
    const keys = Keys.safeParse(await jsonOf(response));
    if (!response.ok || !keys.success)
      throw failed(`${provider.name} Error - ${response.status} error getting jwks`);
    try {
      const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys.data satisfies JSONWebKeySet), {
        algorithms: ['RS256'],
        issuer,
        audience: provider.client.id,
        currentDate: this.#clock.now(),
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return Claims.parse(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw failed('Bad id_token exp');
      if (error instanceof errors.JWTClaimValidationFailed)
        throw failed(`Bad id_token ${claimNames[error.claim] ?? error.claim}`);
      throw failed('Bad id_token signature');
    }
  }

  async #userInfo(
    { name, userInfoMethod }: IdentityProvider,
    address: string,
    accessToken: string,
  ): Promise<z.infer<typeof Claims>> {
    const response = await call(address, 'Timeout occurred in calling IdP userInfo endpoint', {
      method: userInfoMethod,
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    });
    const claims = Claims.safeParse(await jsonOf(response));
    if (!response.ok || !claims.success)
      throw failed(`${name} Error - ${response.status} error getting userInfo`);
    return claims.data;
  }
}

const claimNames: Record<string, string> = { iss: 'issuer', aud: 'audience' };

const failed = (description: string): OAuthError => new OAuthError('invalid_request', description);

async function call(address: string, timeout: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    throw failed(late ? timeout : 'Connection reset');
  }
}

/** Undefined if the body isn't JSON. The caller's schema refuses that. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
