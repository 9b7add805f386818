import { intervals, isPaid } from '../../schemas/product/offers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import type { Charge, FailureCause, Standing } from '../../schemas/shapes/standing.ts';
import { decidePlan, duplicatesIn, type PlanDecision } from './decide-plan.ts';
import {
  hasFailedLate,
  isCharged,
  isEntitling,
  isOpenContract,
  isPaymentDue,
  isPaymentProcessing,
  type Money,
  newestOf,
  renewsBeforeEnd,
  type Subscription,
  wasPaid,
} from './subscription.ts';
import { isoFromUnix } from './unix-time.ts';

// Seconds.
const HOUR = 3600;
/** A purchase whose payment failed longer ago is no longer mentioned. */
const MENTIONED_FOR = 30 * 24 * HOUR;

/** Facts that only Stripe knows, each if Stripe was asked. */
export interface StandingFacts {
  /** The amount of the next charge, by subscription. */
  next?: ReadonlyMap<string, Money> | undefined;
  /** Why the payment that is past due has failed. */
  cause?: FailureCause | undefined;
  /** Whether the bank is processing a renewal's payment. */
  isProcessing?: boolean;
}

/** The user's plan and its next payments, by the row and what was read at Stripe. */
export function standingOf(
  row: UserPlan,
  subscriptions: readonly Subscription[],
  now: Date,
  facts: StandingFacts = {},
): Standing {
  return standingAfter(row, decidePlan(row, subscriptions, now), subscriptions, now, facts);
}

export function standingAfter(
  row: UserPlan,
  { fields, subscription }: Pick<PlanDecision, 'fields' | 'subscription'>,
  subscriptions: readonly Subscription[],
  now: Date,
  facts: StandingFacts = {},
): Standing {
  if (subscription) {
    const duplicates = new Set(duplicatesIn(subscriptions, row));
    const running = subscriptions.filter((each) => isEntitling(each) && !duplicates.has(each));
    return standingWith(subscription, running, now, facts);
  }
  const { plan, plan_expires_at: end = null } = fields;
  if (isPaid(plan) && end === null) return { kind: 'complimentary', plan };
  const processing = subscriptions.find(isPaymentProcessing);
  if (processing) return { kind: 'processing', ...pricedPlanOf(processing), on: end };
  if (isPaid(plan) && end !== null) return { kind: 'ends', plan, on: end, renewal: 'purchase', charges: [] };
  return standingOnFree(subscriptions, now);
}

function standingOnFree(subscriptions: readonly Subscription[], now: Date): Standing {
  const contract = subscriptions.find(isOpenContract);
  // Whatever has failed or ended beside it, this one will be charged again.
  if (contract?.state.kind === 'paused') {
    return { kind: 'paused', ...pricedPlanOf(contract), on: null, charges: [] };
  }
  const paid = newestOf(subscriptions, wasPaid);
  const last = newestOf(subscriptions, (each) => hasFailedLate(each) || wasPaid(each));
  if (last && hasFailedLate(last) && now.getTime() < ((last.endedAt ?? Infinity) + MENTIONED_FOR) * 1000) {
    return { kind: 'purchase-failed', ...pricedPlanOf(last), on: isoFromUnix(last.createdAt) };
  }
  const endedAt = paid?.endedAt;
  if (paid?.ended === 'unpaid' && paid.endsAt === undefined && endedAt !== undefined) {
    return {
      kind: 'lost',
      ...pricedPlanOf(paid),
      since: isoFromUnix(endedAt),
      hasOpenInvoice: !paid.invoicesVoided,
    };
  }
  if (contract) return { kind: 'unpaid', ...pricedPlanOf(contract), payAt: contract.dueInvoice?.url ?? null };
  return { kind: 'free', ...(paid && pricedPlanOf(paid)), endedAt: isoOrNull(endedAt) };
}

function standingWith(
  subscription: Subscription,
  running: readonly Subscription[],
  now: Date,
  { next, cause, isProcessing = false }: StandingFacts,
): Standing {
  const { state, dueInvoice: due } = subscription;
  const pricedPlan = pricedPlanOf(subscription);
  const charges = running
    .filter(isCharged)
    .toSorted((a, b) => a.currentPeriodEnd - b.currentPeriodEnd)
    .map((each) => chargeOf(each, next));
  const endsAt = isoOrNull(subscription.endsAt);
  const payAt = isProcessing ? null : (due?.url ?? null);
  if (state.kind === 'invoiced') return { kind: 'invoiced', ...pricedPlan, payAt, endsAt, charges };
  if (isPaymentDue(subscription)) {
    const amount = due?.amount ?? subscription.amount;
    const unpaid = {
      ...pricedPlan,
      money: amount === undefined ? null : { amount, currency: subscription.currency },
      endsAt,
      paysUntil: isoFromUnix(subscription.currentPeriodEnd),
      payAt,
      charges,
    };
    if (state.kind === 'past-due') {
      const [nextTry, lostOn] = [isoOrNull(state.nextTryAt), isoOrNull(state.triesEndAt)];
      return { kind: 'failed', ...unpaid, nextTry, lostOn, cause: cause ?? null };
    }
    const { collectedAt } = due ?? {};
    const isLate = collectedAt !== undefined && Math.abs(collectedAt * 1000 - now.getTime()) > HOUR * 1000;
    return { kind: 'pending', ...unpaid, payment: isProcessing ? 'processing' : isLate ? 'delayed' : 'soon' };
  }
  const isUncollected = state.kind === 'uncollected';
  if (endsAt !== null && (isUncollected || !renewsBeforeEnd(subscription))) {
    return { kind: 'ends', ...pricedPlan, on: endsAt, renewal: 'free', charges };
  }
  const on = isoFromUnix(Math.max(...running.map(({ currentPeriodEnd }) => currentPeriodEnd)));
  return isUncollected
    ? { kind: 'paused', ...pricedPlan, on, charges }
    : { kind: 'renews', ...pricedPlan, on, until: endsAt, charges };
}

function chargeOf(subscription: Subscription, next: StandingFacts['next']): Charge {
  const { id, currentPeriodEnd } = subscription;
  const money = next?.get(id) ?? null;
  return { subscription: id, ...pricedPlanOf(subscription), on: isoFromUnix(currentPeriodEnd), money };
}

const pricedPlanOf = ({ plan, interval, amount, currency }: Subscription) => {
  const known = intervals.find((each) => each === interval);
  return {
    plan,
    ...(known && { interval: known }),
    ...(amount !== undefined && { price: { amount, currency } }),
  };
};

const isoOrNull = (seconds: number | undefined) => (seconds === undefined ? null : isoFromUnix(seconds));

/** Whether the user has a paid plan. */
export const givesPlan = (standing: Standing): boolean =>
  standing.kind === 'processing' || standing.kind === 'paused'
    ? standing.on !== null
    : !kindsOnFree.has(standing.kind);

const kindsOnFree: ReadonlySet<Standing['kind']> = new Set(['free', 'purchase-failed', 'lost', 'unpaid']);

/** Whether support has paused the plan. */
export const isPlanPaused = (standing: Standing) => standing.kind === 'paused' && standing.on === null;

/** A paid plan without a payment. */
export const isComplimentaryIn = (standing: Standing): boolean =>
  standing.kind === 'complimentary' ||
  (standing.kind === 'ends' && standing.renewal === 'purchase') ||
  (standing.kind === 'processing' && standing.on !== null);

/** The end of the paid plan, ISO 8601. Undefined while it goes on, and on Free. */
export function endIn(standing: Standing): string | undefined {
  if (!givesPlan(standing)) return undefined;
  if (standing.kind === 'renews') return standing.until ?? undefined;
  if (standing.kind === 'ends' || standing.kind === 'processing') return standing.on ?? undefined;
  return ('endsAt' in standing && standing.endsAt) || undefined;
}

export const chargesIn = (standing: Standing) => ('charges' in standing ? standing.charges : []);
