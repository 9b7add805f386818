import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';

export interface Grant {
  /** The id of the account. */
  account: string;
  scopes: string[];
}

export type CodeGrant =
  | {
      kind: 'granted';
      grant: Grant;
      redirectUri: string;
      /** PKCE challenge with method S256. */
      challenge: string | undefined;
      nonce: string | undefined;
    }
  /** The provider fails when this code is redeemed. */
  | { kind: 'fails' };

interface Expiring<T> {
  value: T;
  /** Epoch milliseconds. */
  expiresAt: number;
}

// Milliseconds. GitHub documents ten minutes, the maximum of RFC 6749. Google documents nothing.
const CODE_LIFETIME = 10 * 60 * 1000;

/** Codes and access tokens of one provider. */
export class Grants {
  readonly #clock: Clock;
  readonly #codes: Collection<Expiring<CodeGrant>>;
  readonly #tokens: Collection<Expiring<Grant>>;

  constructor({ clock, store, provider }: { clock: Clock; store: Store; provider: string }) {
    this.#clock = clock;
    this.#codes = store.collection(`providers/${provider}/codes`);
    this.#tokens = store.collection(`providers/${provider}/tokens`);
  }

  /** Issues a code that starts with `prefix`. */
  issueCode(prefix: string, value: CodeGrant): string {
    return this.#put(this.#codes, prefix, value, CODE_LIFETIME);
  }

  /** Uses up the code. Undefined if it is unknown, expired or used. */
  redeemCode(code: string): CodeGrant | undefined {
    const codeGrant = this.#get(this.#codes, code);
    // A code that makes the provider fail does so on every try.
    if (codeGrant?.kind !== 'fails') this.#codes.delete(code);
    return codeGrant;
  }

  /** Issues an access token that starts with `prefix`. `lifetime` in seconds. */
  issueToken(prefix: string, grant: Grant, lifetime = Infinity): string {
    return this.#put(this.#tokens, prefix, grant, lifetime * 1000);
  }

  grantOfToken(token: string): Grant | undefined {
    return this.#get(this.#tokens, token);
  }

  #put<T>(collection: Collection<Expiring<T>>, prefix: string, value: T, lifetime: number): string {
    const key = `${prefix}${randomBytes(27).toString('base64url')}`;
    // JSON has no Infinity.
    const expiresAt = Math.min(this.#clock.now().getTime() + lifetime, Number.MAX_SAFE_INTEGER);
    collection.put(key, { value, expiresAt });
    return key;
  }

  #get<T>(collection: Collection<Expiring<T>>, key: string): T | undefined {
    const found = collection.get(key);
    return found && this.#clock.now().getTime() < found.expiresAt ? found.value : undefined;
  }
}

/** Checks a PKCE verifier against its challenge (RFC 7636, S256). */
export function isVerified(challenge: string | undefined, verifier: string | null): boolean {
  if (challenge === undefined) return true;
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  );
}
