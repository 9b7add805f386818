import { isPaid } from '../../schemas/product/offers.ts';
import type { PlanRule } from '../../schemas/config/log-events.ts';
import type { PlanFields } from './plan.ts';

/** The rules that a row breaks. Plus without any Stripe id is complimentary. */
export function planContradictions(row: PlanFields): PlanRule[] {
  const { plan, plan_expires_at: end, stripe_subscription_id: id, stripe_customer_id: customer } = row;
  const rules: [PlanRule, boolean][] = [
    ['plus-without-basis', isPaid(plan) && !id && !end && customer !== undefined],
    ['end-without-plus', plan === 'free' && end !== undefined],
    ['end-and-renewing-subscription', end !== undefined && id !== undefined],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([rule]) => rule);
}
