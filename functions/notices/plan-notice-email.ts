import { lowestPaidPlan, plans } from '../../schemas/product/offers.ts';
import { withdrawal } from '../../schemas/product/product.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';
import type { PlanFacts } from '../domain/plan-facts.ts';
import type { PlanNotice } from '../domain/plan-notices.ts';
import { endIn, givesPlan, isComplimentaryIn, isPlanPaused } from '../domain/standing.ts';
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

export function planNoticeEmail(
  { kind, before }: Pick<PlanNotice, 'kind' | 'before'>,
  facts: PlanFacts,
  { siteUrl, now }: { siteUrl: string; now: Date },
): Notice {
  const { standing, paid, refunded } = facts;
  const { name } = plans[standing.plan ?? before.standing.plan ?? paid?.plan ?? lowestPaidPlan];
  const common = { siteUrl, name, standing };
  const end = endIn(standing);
  switch (kind) {
    case 'begun': {
      const bought = known(paid);
      // Bought a moment before it was paid.
      const until = withdrawableUntil({ createdAt: bought.at }) * 1000;
      return subscriptionBegunEmail({
        ...common,
        paid: bought,
        withdrawUntil: withdrawal.offered ? new Date(until) : undefined,
      });
    }
    case 'renewed':
      return subscriptionRenewedEmail({ ...common, paid: known(paid) });
    case 'arrived':
      return paymentArrivedEmail({ ...common, paid: known(paid), wasLost: !givesPlan(before.standing) });
    case 'year':
      return subscriptionYearEmail({ ...common, years: known(paid).years });
    case 'failed':
      return paymentFailedEmail({ siteUrl, name, failed: known(isKind(standing, 'failed')) });
    case 'cancelled':
      return subscriptionCancelledEmail({ ...common, lastsUntil: new Date(known(end)) });
    case 'kept':
      return subscriptionKeptEmail({
        ...common,
        isForgiven: before.standing.kind === 'failed' && standing.kind === 'renews',
      });
    case 'terms':
      return subscriptionTermsEmail({ ...common, paid });
    case 'purchase-failed':
      return purchaseFailedEmail({ ...common, boughtOn: known(isKind(standing, 'purchase-failed')).on });
    case 'ending':
      return subscriptionEndingEmail({ ...common, ends: known(end) });
    case 'ended': {
      const because = reasonOfEnd(before.standing, facts);
      if (because === 'withdrawn') return contractWithdrawnEmail({ name, at: now });
      return because === 'declined'
        ? subscriptionCancelledEmail({ ...common, lastsUntil: undefined })
        : subscriptionEndedEmail({ siteUrl, name, because });
    }
    case 'refunded':
      return paymentRefundedEmail({ siteUrl, refunded: known(refunded) });
    case 'complimentary':
      return complimentaryPlanEmail({ siteUrl, name, ends: end });
    default:
      return kind satisfies never;
  }
}

function reasonOfEnd(before: Standing, { standing, ended }: PlanFacts) {
  if (isComplimentaryIn(before)) return 'scheduled';
  if (ended === 'withdrawn') return 'withdrawn';
  if (isPlanPaused(standing)) return 'paused';
  if (isPlanPaused(before)) return 'canceled';
  if (ended === 'unpaid' || ended === 'declined') return ended;
  return endIn(before) === undefined ? 'other' : 'scheduled';
}

const isKind = <K extends Standing['kind']>(
  standing: Standing,
  kind: K,
): Extract<Standing, { kind: K }> | undefined =>
  standing.kind === kind ? (standing as Extract<Standing, { kind: K }>) : undefined;

/** A fact without which `planNotices` has no such notice. */
function known<T>(fact: T | undefined): T {
  if (fact === undefined) throw new Error('The notice lacks the fact that it is about.');
  return fact;
}
