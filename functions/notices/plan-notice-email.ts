import { isPaid, lowestPaidPlan, type PaidPlan } from '../../schemas/product/offers.ts';
import { withdrawal } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import type { PlanNotice } from '../domain/plan-notices.ts';
import { withdrawableUntil } from '../domain/withdrawal.ts';
import { complimentaryPlanEmail } from '../emails/complimentary-plan.ts';
import type { Notice } from '../emails/layout.ts';
import { paymentArrivedEmail } from '../emails/payment-arrived.ts';
import { paymentFailedEmail } from '../emails/payment-failed.ts';
import { paymentRefundedEmail } from '../emails/payment-refunded.ts';
import { subscriptionBegunEmail } from '../emails/subscription-begun.ts';
import { contractWithdrawnEmail } from '../emails/contract-withdrawn.ts';
import { subscriptionCancelledEmail } from '../emails/subscription-cancelled.ts';
import { subscriptionEndedEmail } from '../emails/subscription-ended.ts';
import { subscriptionEndingEmail } from '../emails/subscription-ending.ts';
import { subscriptionKeptEmail } from '../emails/subscription-kept.ts';
import { purchaseFailedEmail } from '../emails/purchase-failed.ts';
import { subscriptionTermsEmail } from '../emails/subscription-terms.ts';
import { subscriptionRenewedEmail } from '../emails/subscription-renewed.ts';
import { subscriptionYearEmail } from '../emails/subscription-year.ts';

/** The mail of a notice. */
export function planNoticeEmail(
  { kind, before, after }: Pick<PlanNotice, 'kind' | 'before' | 'after'>,
  { siteUrl, now }: { siteUrl: string; now: Date },
): Notice {
  const { paid, failed, refunded, ends, ended } = after;
  const plan = paidPlanOf(after) ?? paidPlanOf(before) ?? paid?.plan ?? lowestPaidPlan;
  const complimentary = after.complimentary ?? false;
  switch (kind) {
    case 'begun':
      return subscriptionBegunEmail({
        siteUrl,
        plan,
        state: after,
        // Bought a moment before it was paid.
        withdrawUntil:
          withdrawal.offered && paid ? new Date(withdrawableUntil({ createdAt: paid.at }) * 1000) : undefined,
      });
    case 'renewed':
      return subscriptionRenewedEmail({ siteUrl, plan, state: after, paid: known(paid) });
    case 'arrived':
      return paymentArrivedEmail({
        siteUrl,
        plan,
        state: after,
        paid: known(paid),
        wasLost: before.plan === 'free',
      });
    case 'year':
      return subscriptionYearEmail({ siteUrl, plan, state: after, years: known(paid).years });
    case 'failed':
      return paymentFailedEmail({ siteUrl, plan, failed: known(failed) });
    case 'cancelled':
      return subscriptionCancelledEmail({ siteUrl, plan, state: after, lastsUntil: new Date(known(ends)) });
    case 'kept':
      return subscriptionKeptEmail({ siteUrl, plan, state: after, isForgiven: before.failed !== undefined });
    case 'terms':
      return subscriptionTermsEmail({ siteUrl, plan, state: after, charge: known(after.nextCharge) });
    case 'purchase-failed':
      return purchaseFailedEmail({ siteUrl, ...known(after.purchaseFailed) });
    case 'ending':
      return subscriptionEndingEmail({ siteUrl, plan, ends: known(ends), complimentary });
    case 'ended':
      if (ended === 'withdrawn') return contractWithdrawnEmail({ plan, at: now });
      return ended === 'declined'
        ? subscriptionCancelledEmail({ siteUrl, plan, state: after, lastsUntil: undefined })
        : subscriptionEndedEmail({ siteUrl, plan, because: ended ?? 'other' });
    case 'refunded':
      return paymentRefundedEmail({ siteUrl, refunded: known(refunded) });
    case 'complimentary':
      return complimentaryPlanEmail({ siteUrl, plan, ends });
    default:
      return kind satisfies never;
  }
}

const paidPlanOf = ({ plan }: BillingState): PaidPlan | undefined => (isPaid(plan) ? plan : undefined);

/** A part of the state without which `planNotices` has no such notice. */
function known<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The notice lacks the part that it is about.');
  return part;
}
