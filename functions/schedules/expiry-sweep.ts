import { dueQueue } from '../adapters/due-queue.ts';
import { planTable } from '../adapters/tables.ts';
import { withinTime } from '../runtime/time-budget.ts';
import type { Made } from '../runtime/with-environment.ts';
import { feedDueAccounts } from './feed-due-accounts.ts';

const NAME = 'schedules/expiry-sweep';

const adapters = { planTable, queue: dueQueue };

/** Sends every user whose plan has expired to the queue, whose consumer asks Stripe and decides the plan. */
export const sweepExpired =
  ({ planTable: plans, queue }: Made<typeof adapters>, clock: () => Date = () => new Date()) =>
  (isOver: () => boolean = () => false) => {
    const now = clock();
    return feedDueAccounts({
      sweep: NAME,
      queue,
      idsOf: (shard) => plans.expired(shard, now),
      messageOf: (user) => ({ task: 'expiry', user }),
      now,
      isOver,
    });
  };

export const handler = withinTime(NAME, adapters, sweepExpired);
