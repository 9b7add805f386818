import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { planAdapters } from '../plans/plan-adapters.ts';
import { reconcile, type ReconcileDependencies } from '../plans/reconcile.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { withinTime } from '../runtime/time-budget.ts';
import { withAdapters } from '../runtime/with-environment.ts';
import { finishSweep } from './finish-sweep.ts';
import { idsInAllShards } from './all-shards.ts';

const NAME = 'schedules/expiry-sweep';
// Stripe allows a hundred calls a second in live mode, and each user is one call. Eight at a time leave
// capacity for users who are waiting.
const CONCURRENCY = 8;
const HOUR = 3_600_000;

export interface SweepOutcome {
  reconciled: number;
  /** Whether time ran out. The remaining rows are still due, and the next sweep finds them. */
  unfinished: boolean;
}

/**
 * Reconciles every user whose plan has expired. Stripe is asked before a plan is taken away, so a payer whose
 * renewal webhook was lost keeps Plus. A finished row leaves the `by_expiry` index, so the next sweep
 * continues where this sweep ended. Failed rows are tried once more and stay in the index; their errors are
 * thrown at the end.
 */
export const sweepExpired =
  (dependencies: ReconcileDependencies, clock: () => Date = () => new Date()) =>
  async (isOver: () => boolean = () => false): Promise<SweepOutcome> => {
    const now = clock();
    const shardErrors: unknown[] = [];
    const { planTable } = dependencies;
    const hour = Math.floor(now.getTime() / HOUR);
    const due = idsInAllShards((shard) => planTable.expired(shard, now), hour, shardErrors);
    const run = await forEachLimit(due, {
      limit: CONCURRENCY,
      work: (userId) => reconcile(dependencies, userId, now, { trigger: NAME }),
      isOver,
    });
    finishSweep({ sweep: NAME, run, shardErrors, items: 'expired plans' });
    return { reconciled: run.done, unfinished: run.outOfTime };
  };

export const handler = withAdapters(backgroundFunctions[NAME], planAdapters, (dependencies) =>
  withinTime(sweepExpired(dependencies)),
);
