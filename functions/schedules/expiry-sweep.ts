import type { Context } from 'aws-lambda';
import { stripeBilling } from '../adapters/stripe/billing.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { EXPIRY_SHARDS } from '../domain/expiry-shard.ts';
import { environment } from '../runtime/environment.ts';
import { type PlanKeeping, reconcile } from '../plans/reconcile.ts';
import { concurrently } from '../runtime/concurrently.ts';
import { outOfTime } from '../runtime/time-budget.ts';

// Stripe allows a hundred calls a second in live mode and one user is one call; eight at a time leave the
// rest to people who are waiting.
const AT_ONCE = 8;
const HOUR = 3_600_000;

export interface SweepOutcome {
  reconciled: number;
  /** Whether time ran out: what is left is still due, and the next sweep finds it. */
  unfinished: boolean;
}

/**
 * Looks at everybody whose plan has expired. Stripe is asked before anything is taken away, so a payer whose renewal
 * was missed keeps Plus. The index is the list of what is left to do: whoever is done leaves it, so a sweep that ends early
 * is taken up by the next. Failures are tried once more, stay in the index, and are reported by throwing when all the
 * others are done.
 */
export const sweepExpired =
  (keeping: PlanKeeping, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false): Promise<SweepOutcome> => {
    const now = clock();
    const unread: unknown[] = [];
    const outcome = await concurrently(everybodyDue(keeping, now, unread), {
      limit: AT_ONCE,
      work: (userId) => reconcile(keeping, userId, now),
      isOver,
    });
    const { done, failures } = outcome;
    const unfinished = outcome.outOfTime;
    console.info({
      sweep: 'expiry',
      reconciled: done,
      failures: failures.size,
      unread: unread.length,
      unfinished,
    });
    if (failures.size > 0 || unread.length > 0) {
      throw new Error(
        `${failures.size} of ${done + failures.size} expired plans and ${unread.length} shards are left for the next sweep: ${String([...failures.values(), ...unread][0])}`,
      );
    }
    return { reconciled: done, unfinished };
  };

/** A page at a time, shard after shard; each hour begins with another, so that none is always the one time runs out on. */
async function* everybodyDue({ plans }: PlanKeeping, now: Date, unread: unknown[]): AsyncGenerator<string> {
  const first = Math.floor(now.getTime() / HOUR);
  for (let offset = 0; offset < EXPIRY_SHARDS; offset += 1) {
    try {
      for await (const page of plans.expired((first + offset) % EXPIRY_SHARDS, now)) yield* page;
    } catch (error) {
      unread.push(error);
    }
  }
}

const settings = environment('writePlans', 'stripe');
const sweep = sweepExpired({
  plans: plansTable(settings.PLANS_TABLE),
  billing: stripeBilling(settings),
});
export const handler = (_: unknown, context: Context): Promise<SweepOutcome> => sweep(outOfTime(context));
