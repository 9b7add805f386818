import { isPaid } from '../../schemas/product/offers.ts';
import type { PlanRule } from '../../schemas/config/log-events.ts';
import type { PlanFields } from './plan.ts';

/**
 * The rules that a row breaks. Plus has a subscription, an end, or no Stripe ids at all, which makes it
 * complimentary; only Plus has an end; a plan that ends has no subscription that renews.
 */
export function planContradictions(row: PlanFields): PlanRule[] {
  const { plan, plan_expires_at: end, stripe_subscription_id: id, stripe_customer_id: customer } = row;
  const rules: [PlanRule, boolean][] = [
    ['plus-without-basis', isPaid(plan) && !id && !end && customer !== undefined],
    ['end-without-plus', plan === 'free' && end !== undefined],
    ['end-and-renewing-subscription', end !== undefined && id !== undefined],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([rule]) => rule);
}
