import { createHash } from 'node:crypto';
import { StripeRefusal } from './errors.ts';
import type { StoredResponse, Ledger } from './ledger.ts';

// "You can remove keys from the system automatically after they're at least 24 hours old": Stripe's
// reference.
const LIFETIME = 24 * 3600;

/** Identifies the parameters of a request. A key can only be reused with the same parameters. */
export const fingerprintOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** The stored response for this key. Refuses a key that is too long, or was used for another request. */
export function storedResponse(
  ledger: Ledger,
  key: string,
  { route, fingerprint }: { route: string; fingerprint: string },
): StoredResponse | undefined {
  // "Idempotency keys are up to 255 characters long": the reference.
  if (key.length > 255) throw keyRefused('Idempotency keys can have at most 255 characters.');
  const stored = ledger.idempotentResponses.get(key);
  if (!stored || hasExpired(ledger, stored)) return undefined;
  if (stored.route !== route) {
    throw keyRefused(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${stored.route}' ` +
        `vs '${route}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  if (stored.fingerprint !== fingerprint) {
    throw keyRefused(
      'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using ' +
        `a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  return stored;
}

/** Deletes responses whose keys may be reused. */
export function deleteExpiredResponses(ledger: Ledger): void {
  for (const stored of ledger.idempotentResponses.list())
    if (hasExpired(ledger, stored)) ledger.idempotentResponses.delete(stored.key);
}

const hasExpired = (ledger: Ledger, stored: StoredResponse): boolean => stored.at + LIFETIME <= ledger.now();

const keyRefused = (message: string): StripeRefusal =>
  new StripeRefusal(400, { type: 'idempotency_error', message });
