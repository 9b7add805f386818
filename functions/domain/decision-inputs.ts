import type { DecisionInputs } from '../../schemas/config/log-events.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Subscription } from './subscription.ts';

/** The facts that `decidePlan` decides from, for the log. */
export const decisionInputs = (
  { plan, plan_expires_at, stripe_subscription_id, stripe_customer_id }: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  cancels: boolean,
): DecisionInputs => ({
  at: now.toISOString(),
  row: {
    plan,
    expiresAt: plan_expires_at ?? null,
    subscription: stripe_subscription_id ?? null,
    hasCustomer: stripe_customer_id !== undefined,
  },
  subscriptions: subscriptions.map(
    ({ id, status, firstPayment, duplicate = null, stoppedTrying, endsAt = null, createdAt }) => ({
      id,
      status,
      firstPayment,
      duplicate,
      stoppedTrying,
      endsAt,
      createdAt,
    }),
  ),
  cancels,
});
