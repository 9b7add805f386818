import type { BillingOverview } from '../../../../schemas/billing.ts';
import { formatAmount } from '../../plan/format-amount.ts';
import type { PlanStatus } from '../../plan/plan-status.ts';

export type KnownPlan = Extract<PlanStatus, { kind: 'free' | 'plus' | 'ending' }>;

/** What was read from Stripe. */
type Billing = { kind: 'loading' } | { kind: 'unread' } | { kind: 'known'; overview: BillingOverview };

/** What the user pays next. Amounts are texts, and null if Stripe's price has no fixed amount. */
export type NextCharge =
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'unread' }
  | { kind: 'complimentary' }
  /** Failed or not tried yet. */
  | { kind: 'due'; amount: string | null }
  /** Nothing more is charged, and Plus ends. ISO 8601. */
  | { kind: 'ends'; on: string }
  | { kind: 'renews'; on: string; amount: string | null };

export function nextChargeOf(plan: KnownPlan, billing: Billing): NextCharge {
  if (plan.kind === 'free') return { kind: 'none' };
  const subscription = billing.kind === 'known' ? billing.overview.subscription : null;
  const amount =
    subscription && subscription.amount !== null
      ? formatAmount(subscription.amount, subscription.currency)
      : null;
  if (subscription?.status === 'past_due') return { kind: 'due', amount };
  if (plan.kind === 'ending') return { kind: 'ends', on: plan.on };
  if (billing.kind !== 'known') return { kind: billing.kind };
  if (subscription === null) return { kind: 'complimentary' };
  return { kind: 'renews', on: subscription.currentPeriodEnd, amount };
}
