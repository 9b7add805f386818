import type { BillingOverview } from '../../../schemas/shapes/billing.ts';
import type { Plan } from '../../../schemas/rows/plan.ts';
import { formatAmount } from './format-amount.ts';
import { isPaid } from '../../../schemas/product/offers.ts';
import type { KnownPlan } from './known-plan.ts';
import { cancellable } from './plan-status.ts';

/** The result of reading the subscription and invoices. `unread`: `sentence` says why that failed. */
export type Billing =
  | { kind: 'loading' }
  | { kind: 'known'; overview: BillingOverview }
  | { kind: 'unread'; sentence: string };

/** A payment that Stripe has not received yet. */
interface Unpaid {
  /** The amount as text; null if Stripe's price has no fixed amount. */
  amount: string | null;
  /** Time when the plan ends although it was paid; null while it renews. ISO 8601, like all times here. */
  endsAt: string | null;
  /** End of the period that the payment is for. */
  paysUntil: string;
}

/**
 * The state of the plan and its payments, as every page tells it. The pages differ in wording and in detail.
 */
export type PlanNews = KnownPlan & PlanKind;

type PlanKind =
  | { kind: 'loading' }
  /** On a paid plan, with a subscription that couldn't be read or that Stripe no longer has. */
  | { kind: 'unread' }
  /** `endedAt`: time when a paid plan ended; null if there was none, or if that is unknown. */
  | { kind: 'free'; endedAt: string | null }
  /** The user has bought a plan, and the bank has not sent the money. Nothing is for sale meanwhile. */
  | { kind: 'processing' }
  /** The user bought a plan on that day, and the bank sent no money. */
  | { kind: 'purchase-failed'; on: string }
  /** The user has been on Free since then, because payments failed. */
  | { kind: 'lost'; since: string; hasOpenInvoice: boolean }
  /** Stripe has stopped trying. Paying the invoice (`payAt`, Stripe's page of it) brings the plan back. */
  | { kind: 'unpaid'; payAt: string | null }
  /** A complimentary plan without a scheduled end. */
  | { kind: 'complimentary' }
  /** `on`: the next charge. `until`: an end that support has set after further renewals. */
  | { kind: 'renews'; on: string; until: string | null; amount: string | null }
  /** Support has paused the payments of a plan that renews. `on`: the end of the period. */
  | { kind: 'paused'; on: string }
  /** Nothing more is charged. `renewal`: whether a renewal is free or a purchase; null if that is unknown. */
  | { kind: 'ends'; on: string; renewal: 'free' | 'purchase' | null }
  /**
   * The payment of a renewal is on its way: Stripe charges within an hour, or the bank is processing it
   * (`isProcessing`).
   */
  | ({ kind: 'pending'; isProcessing: boolean } & Unpaid)
  /** `nextTry`: null if it is unknown whether Stripe tries again. `payAt`: Stripe's page of the invoice. */
  | ({ kind: 'failed'; nextTry: string | null; payAt: string | null } & Unpaid);

export const planNewsOf = (plan: Plan, billing: Billing): PlanNews => ({
  ...knownOf(plan, billing),
  ...kindOf(plan, billing),
});

function knownOf({ plan: name }: Plan, billing: Billing): KnownPlan {
  const { subscription, purchase } = billing.kind === 'known' ? billing.overview : {};
  const plan = isPaid(name) ? name : (subscription?.plan ?? purchase?.plan);
  return {
    ...(plan && { plan }),
    ...(subscription?.interval && { interval: subscription.interval }),
  };
}

function kindOf(plan: Plan, billing: Billing): PlanKind {
  if (cancellable(plan).kind === 'complimentary') return { kind: 'complimentary' };
  if (billing.kind === 'loading') return { kind: 'loading' };
  if (plan.plan === 'free')
    return billing.kind === 'known' ? onFree(billing.overview) : { kind: 'free', endedAt: null };
  return onPaid(plan, billing);
}

function onFree({ subscription, purchase, endedAt, lostAt, invoices }: BillingOverview): PlanKind {
  if (purchase?.payment === 'processing') return { kind: 'processing' };
  if (purchase?.payment === 'failed') return { kind: 'purchase-failed', on: purchase.boughtAt };
  if (lostAt !== null) {
    return { kind: 'lost', since: lostAt, hasOpenInvoice: openInvoiceIn(invoices) !== undefined };
  }
  if (subscription?.status === 'unpaid' || subscription?.paymentDue) {
    return { kind: 'unpaid', payAt: payAtOf(invoices) };
  }
  return { kind: 'free', endedAt };
}

function onPaid({ planExpiresAt: endsAt }: Plan, billing: Exclude<Billing, { kind: 'loading' }>): PlanKind {
  const { subscription, purchase, invoices = [] } = billing.kind === 'known' ? billing.overview : {};
  const payAt = billing.kind === 'known' ? payAtOf(billing.overview.invoices) : null;
  // The plan changes within moments.
  if (subscription?.status === 'unpaid') return { kind: 'unpaid', payAt };
  if (subscription?.paymentDue) {
    const { status, nextTry, currentPeriodEnd: paysUntil } = subscription;
    const unpaid: Unpaid = { amount: amountOf(subscription), endsAt, paysUntil };
    return status === 'past_due'
      ? { kind: 'failed', nextTry, payAt, ...unpaid }
      : { kind: 'pending', isProcessing: invoices.some(({ processing }) => processing), ...unpaid };
  }
  if (endsAt !== null) {
    // The user has bought a plan to follow a complimentary plan that ends.
    if (purchase?.payment === 'processing') return { kind: 'processing' };
    if (subscription && !subscription.paused && subscription.currentPeriodEnd < endsAt) {
      return renewing(subscription, endsAt);
    }
    const renewal = subscription === undefined ? null : subscription === null ? 'purchase' : 'free';
    return { kind: 'ends', on: endsAt, renewal };
  }
  if (!subscription) return { kind: 'unread' };
  if (subscription.paused) return { kind: 'paused', on: subscription.currentPeriodEnd };
  return renewing(subscription, endsAt);
}

const renewing = (subscription: NonNullable<BillingOverview['subscription']>, until: string | null) =>
  ({ kind: 'renews', on: subscription.currentPeriodEnd, until, amount: amountOf(subscription) }) as const;

type Invoices = BillingOverview['invoices'];

/** An open invoice that can be paid. */
const openInvoiceIn = (invoices: Invoices) =>
  invoices.find(({ status, processing }) => status === 'open' && !processing);

const payAtOf = (invoices: Invoices) => openInvoiceIn(invoices)?.hosted_invoice_url ?? null;

const amountOf = ({ amount, currency }: NonNullable<BillingOverview['subscription']>): string | null =>
  amount === null ? null : formatAmount(amount, currency);
