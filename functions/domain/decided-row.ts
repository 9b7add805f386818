import { isPaid } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { expiryShard } from './expiry-shard.ts';
import { inUse } from './idle.ts';
import type { PlanFields } from './plan.ts';

/** The fields that a decision writes over the row it was made from. Undefined ones are removed. */
export const decidedRow = (row: UserPlan, decision: PlanFields, now: Date) => ({
  plan_expires_at: undefined,
  stripe_subscription_id: undefined,
  stripe_customer_id: undefined,
  ...decision,
  expiry_shard: decision.plan_expires_at ? expiryShard(row.id) : undefined,
  updated_at: now.toISOString(),
  version: row.version + 1,
  // The year of an idle account begins with the end of its plan.
  ...(decision.plan === 'free' &&
    (isPaid(row.plan) || !row.idle_due_at) && {
      ...inUse(row.id, now),
      idle_warnings: undefined,
      idle_returned_mail: undefined,
    }),
});
