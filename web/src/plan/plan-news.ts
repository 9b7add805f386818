import type { BillingOverview } from '../../../schemas/billing.ts';
import type { Plan } from '../../../schemas/plan.ts';
import { formatAmount } from './format-amount.ts';
import { cancellable } from './plan-status.ts';

/** The result of reading the user's subscription and invoices. `unread`: `sentence` says why not. */
export type Billing =
  | { kind: 'loading' }
  | { kind: 'known'; overview: BillingOverview }
  | { kind: 'unread'; sentence: string };

/** A payment that Stripe has not got yet. */
interface Unpaid {
  /** As text; null if Stripe's price has no fixed amount. */
  amount: string | null;
  /** When Plus ends although it was paid; null while it renews. ISO 8601, like all moments here. */
  endsAt: string | null;
  /** End of the period that the payment is for. */
  paysUntil: string;
}

/**
 * What the user is told of the plan and its payments, on every page. The pages differ in words and in how
 * much they say.
 */
export type PlanNews =
  | { kind: 'loading' }
  /** On Plus, with a subscription that couldn't be read or that Stripe no longer has. */
  | { kind: 'unread' }
  | { kind: 'free' }
  /** On Free since then, because payments failed. */
  | { kind: 'lost'; since: string; hasOpenInvoice: boolean }
  /** Stripe has stopped trying. Paying the invoice (`payAt`, Stripe's page of it) brings Plus back. */
  | { kind: 'unpaid'; payAt: string | null }
  /** Without a scheduled end. */
  | { kind: 'complimentary' }
  | { kind: 'renews'; on: string; amount: string | null }
  /** Nothing more is charged. `renewal`: what a renewal is; null if that is unknown. */
  | { kind: 'ends'; on: string; renewal: 'free' | 'purchase' | null }
  /** The hour after a renewal, in which nothing was taken yet. */
  | ({ kind: 'pending' } & Unpaid)
  /** `nextTry`: null if it isn't known whether Stripe tries again. `payAt`: Stripe's page of the invoice. */
  | ({ kind: 'failed'; nextTry: string | null; payAt: string | null } & Unpaid);

export function planNewsOf(plan: Plan, billing: Billing): PlanNews {
  if (cancellable(plan).kind === 'complimentary') return { kind: 'complimentary' };
  if (billing.kind === 'loading') return { kind: 'loading' };
  if (plan.plan === 'free') return billing.kind === 'known' ? onFree(billing.overview) : { kind: 'free' };
  return onPlus(plan, billing);
}

function onFree({ subscription, lostAt, invoices }: BillingOverview): PlanNews {
  if (lostAt !== null) {
    return { kind: 'lost', since: lostAt, hasOpenInvoice: openInvoiceIn(invoices) !== undefined };
  }
  if (subscription?.status === 'unpaid') return { kind: 'unpaid', payAt: payAtOf(invoices) };
  return { kind: 'free' };
}

function onPlus({ planExpiresAt: endsAt }: Plan, billing: Exclude<Billing, { kind: 'loading' }>): PlanNews {
  const subscription = billing.kind === 'known' ? billing.overview.subscription : undefined;
  const payAt = billing.kind === 'known' ? payAtOf(billing.overview.invoices) : null;
  // The plan follows within moments.
  if (subscription?.status === 'unpaid') return { kind: 'unpaid', payAt };
  if (subscription?.paymentDue) {
    const { status, nextTry, currentPeriodEnd: paysUntil } = subscription;
    const unpaid: Unpaid = { amount: amountOf(subscription), endsAt, paysUntil };
    return status === 'past_due'
      ? { kind: 'failed', nextTry, payAt, ...unpaid }
      : { kind: 'pending', ...unpaid };
  }
  if (endsAt !== null) {
    const renewal = subscription === undefined ? null : subscription === null ? 'purchase' : 'free';
    return { kind: 'ends', on: endsAt, renewal };
  }
  if (!subscription) return { kind: 'unread' };
  return { kind: 'renews', on: subscription.currentPeriodEnd, amount: amountOf(subscription) };
}

type Invoices = BillingOverview['invoices'];

const openInvoiceIn = (invoices: Invoices) => invoices.find(({ status }) => status === 'open');

const payAtOf = (invoices: Invoices) => openInvoiceIn(invoices)?.hosted_invoice_url ?? null;

const amountOf = ({ amount, currency }: NonNullable<BillingOverview['subscription']>): string | null =>
  amount === null ? null : formatAmount(amount, currency);
