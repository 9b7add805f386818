import type { Context } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/environment.ts';
import { billingTasks } from '../adapters/dynamodb/billing-tasks.ts';
import { plansTable } from '../adapters/dynamodb/plans-table.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { reconcile, type ReconcileDependencies } from '../plans/reconcile.ts';
import { concurrently } from '../runtime/concurrently.ts';
import { log } from '../runtime/log.ts';
import { isOutOfTime } from '../runtime/time-budget.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { idsInAllShards } from './all-shards.ts';

const NAME = 'schedules/expiry-sweep';
// Stripe allows a hundred calls a second in live mode, and each user is one call. Eight at a time leave the
// rest to users who are waiting.
const CONCURRENCY = 8;
const HOUR = 3_600_000;

export interface SweepOutcome {
  reconciled: number;
  /** Whether time ran out. The rows that are left are still due, and the next sweep finds them. */
  unfinished: boolean;
}

/**
 * Reconciles every user whose plan has expired. Stripe is asked before a plan is taken away, so a payer whose
 * renewal webhook was lost keeps Plus. A row leaves the `by_expiry` index when it is done, so the next sweep
 * continues where this sweep ended. Failures are tried once more, stay in the index, and are thrown when all
 * other rows are done.
 */
export const sweepExpired =
  (dependencies: ReconcileDependencies, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false): Promise<SweepOutcome> => {
    const now = clock();
    const shardErrors: unknown[] = [];
    const { plans } = dependencies;
    const hour = Math.floor(now.getTime() / HOUR);
    const due = idsInAllShards((shard) => plans.expired(shard, now), hour, shardErrors);
    const { done, failures, outOfTime } = await concurrently(due, {
      limit: CONCURRENCY,
      work: (userId) => reconcile(dependencies, userId, now, { trigger: NAME }),
      isOver,
    });
    const unreadShards = shardErrors.length;
    log.info('sweep-finished', {
      sweep: NAME,
      done,
      failures: failures.size,
      unreadShards,
      unfinished: outOfTime,
    });
    if (failures.size > 0 || unreadShards > 0) {
      const [first] = [...failures.values(), ...shardErrors];
      throw new Error(
        `${failures.size} of ${done + failures.size} expired plans and ${unreadShards} shards are left for the next sweep: ${String(first)}`,
      );
    }
    return { reconciled: done, unfinished: outOfTime };
  };

export const handler = withEnvironment(backgroundFunctions[NAME], (environment) => {
  const sweep = sweepExpired({
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    tasks: billingTasks(environment.STRIPE_WORK_TABLE),
  });
  return (_: unknown, context: Context): Promise<SweepOutcome> => sweep(isOutOfTime(context));
});
