import { stripeBilling } from '../adapters/billing.ts';
import { plansTable } from '../adapters/plans-table.ts';
import { EXPIRY_SHARDS } from '../domain/expiry-shard.ts';
import { environment } from '../environment.ts';
import { type PlanKeeping, reconcile } from '../reconcile.ts';
import { concurrently } from './concurrently.ts';

// Stripe allows a hundred calls a second in live mode and one user is one call; eight at a time leave the
// rest to people who are waiting.
const AT_ONCE = 8;

/**
 * Looks at everybody whose plan has expired. Stripe is asked before anything is taken away, so a payer whose renewal
 * was missed keeps Plus. Failures are left in the index, found again by the next sweep, and reported by
 * throwing when all the others are done.
 */
export const sweepExpired =
  (keeping: PlanKeeping, clock: () => Date = () => new Date()) =>
  async (): Promise<{ reconciled: number }> => {
    const now = clock();
    const due: string[] = [];
    const shards = Array.from({ length: EXPIRY_SHARDS }, (_, shard) => shard);
    const unread = await concurrently(shards, AT_ONCE, async (shard) => {
      for await (const page of keeping.plans.expired(shard, now)) due.push(...page);
    });
    const failed = await concurrently(due, AT_ONCE, (userId) => reconcile(keeping, userId, now));
    const failures = [...unread, ...failed];
    const outcome = { due: due.length, reconciled: due.length - failed.length, failures: failures.length };
    console.info({ sweep: 'expiry', ...outcome });
    if (failures.length > 0) {
      throw new Error(
        `${failed.length} of ${due.length} expired plans and ${unread.length} shards are left for the next sweep: ${String(failures[0]?.error)}`,
      );
    }
    return { reconciled: outcome.reconciled };
  };

const settings = environment('writePlans', 'stripe');
export const handler = sweepExpired({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
});
