import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { Collection, Store } from '../../../base/store.ts';
import { hashOf } from '../hash.ts';

/** A validated request to `/oauth2/authorize`. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  state: string | undefined;
  scopes: string[];
  nonce: string | undefined;
  /** Base64url of a SHA-256. Undefined if the client doesn't use PKCE. */
  challenge: string | undefined;
}

interface PendingRequest extends AuthorizationRequest {
  providerName: string;
  /** The nonce that the provider's ID token has to repeat. */
  providerNonce: string;
  /** Hash of the cookie that the same browser has to send. */
  browser: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  hash: string;
}

// Long enough to create an account at the provider.
const LIFETIME = 30 * 60 * 1000;

/** Requests whose users are at an identity provider, by the `state` that they return with. */
export class AuthorizationRequests {
  readonly #clock: Clock;
  readonly #requests: Collection<PendingRequest>;

  constructor({ clock, store }: { clock: Clock; store: Store }) {
    this.#clock = clock;
    this.#requests = store.collection('cognito/authorization-requests');
  }

  /** `browser` and `state` are secrets of the browser. Only their hashes are stored. */
  start(
    request: AuthorizationRequest,
    providerName: string,
  ): { browser: string; nonce: string; state: string } {
    const now = this.#clock.now().getTime();
    for (const old of this.#requests.list()) if (old.expiresAt <= now) this.#requests.delete(old.hash);
    const browser = randomBytes(32).toString('base64url');
    const nonce = randomBytes(32).toString('base64url');
    // As long as Cognito's own state, which some providers refuse.
    const state = randomBytes(300).toString('base64url');
    this.#requests.put(hashOf(state), {
      ...request,
      providerName,
      providerNonce: nonce,
      browser: hashOf(browser),
      expiresAt: now + LIFETIME,
      hash: hashOf(state),
    });
    return { browser, nonce, state };
  }

  /** Ends a pending request. Valid for one return, by the browser that was redirected. */
  take(state: string, browser: string | undefined): PendingRequest | undefined {
    const pending = this.#requests.get(hashOf(state));
    if (!pending || browser === undefined || pending.browser !== hashOf(browser)) return undefined;
    this.#requests.delete(pending.hash);
    return this.#clock.now().getTime() < pending.expiresAt ? pending : undefined;
  }
}
