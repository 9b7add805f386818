import { createHash } from 'node:crypto';
import { StripeRefusal } from './errors.ts';
import type { KeptAnswer, Ledger } from './ledger.ts';

// "You can remove keys from the system automatically after they're at least 24 hours old": Stripe's
// reference.
const KEPT_FOR = 24 * 3600;

/** Identifies the parameters of a request. A key can only be reused with the same parameters. */
export const fingerprintOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** The stored response for this key. Refuses a key that was used for another request. */
export function keptAnswer(
  ledger: Ledger,
  key: string,
  { route, fingerprint }: { route: string; fingerprint: string },
): KeptAnswer | undefined {
  const kept = ledger.answers.get(key);
  if (!kept || isOver(ledger, kept)) return undefined;
  if (kept.route !== route) {
    throw reused(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${kept.route}' ` +
        `vs '${route}'). Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  if (kept.fingerprint !== fingerprint) {
    throw reused(
      'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using ' +
        `a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  return kept;
}

/** Deletes responses whose keys may be reused. */
export function forgetOldAnswers(ledger: Ledger): void {
  for (const kept of ledger.answers.list()) if (isOver(ledger, kept)) ledger.answers.delete(kept.key);
}

const isOver = (ledger: Ledger, kept: KeptAnswer): boolean => kept.at + KEPT_FOR <= ledger.now();

const reused = (message: string): StripeRefusal =>
  new StripeRefusal(400, { type: 'idempotency_error', message });
