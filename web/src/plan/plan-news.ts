import { isPaid, type Offer } from '../../../schemas/product/offers.ts';
import type { Plan } from '../../../schemas/rows/plan.ts';
import type { BillingResponse } from '../../../schemas/shapes/billing.ts';
import type { Standing } from '../../../schemas/shapes/standing.ts';
import { formatAmount } from '../../../schemas/product/format-amount.ts';
import { type KnownPlan, nameOf, offerOf } from './known-plan.ts';
import { cancellable, type Read } from './plan-status.ts';
import { day, text, type Text } from './text.ts';

/** The user's payments and invoices. */
export type Billing = Read<BillingResponse>;

/**
 * The state of the plan and its payments, as every page tells it. The pages differ in wording and in detail.
 * `unread`: on a paid plan whose payments couldn't be read, or were read at another moment than the plan.
 */
export type PlanNews = Standing | (KnownPlan & { kind: 'loading' | 'unread' });

/** The states of a user on Free. */
const onFree: ReadonlySet<Standing['kind']> = new Set([
  'free',
  'processing',
  'purchase-failed',
  'lost',
  'unpaid',
]);

const givesPlan = (standing: Standing): boolean =>
  !onFree.has(standing.kind) && !(standing.kind === 'paused' && standing.on === null);

/** The server's answer, or what the plan alone says. */
export function planNewsOf({ plan, ...row }: Plan, billing: Billing): PlanNews {
  const known = isPaid(plan) ? { plan } : {};
  if (cancellable({ plan, ...row }).kind === 'complimentary') return { kind: 'complimentary', ...known };
  if (billing.kind === 'loading') return { kind: 'loading', ...known };
  const standing = billing.kind === 'known' ? billing.value.standing : undefined;
  // A plan that is bought to follow a complimentary one that ends.
  const follows = standing?.kind === 'processing' && row.planExpiresAt !== null;
  if (standing && (follows || givesPlan(standing) === isPaid(plan))) return standing;
  if (!isPaid(plan)) return { kind: 'free', endedAt: null };
  const on = row.planExpiresAt;
  return on === null ? { kind: 'unread', plan } : { kind: 'ends', plan, on, renewal: null };
}

type Money = NonNullable<Standing['price']>;

/** The amount as text; null if it isn't known. */
export const amountOf = ({ money }: { money: Money | null }): string | null =>
  money && formatAmount(money.amount, money.currency);

/**
 * The offer with the price that the user pays for it, which may be older than the site's. Undefined if the
 * plan doesn't renew, or its price isn't fixed.
 */
export function offerPaidIn(news: PlanNews): Offer | undefined {
  const renews =
    (news.kind === 'renews' && news.until === null) || ('endsAt' in news && news.endsAt === null);
  const amount = renews ? amountOf({ money: news.price ?? null }) : null;
  if (amount === null) return undefined;
  const offer = offerOf(news);
  return amount === formatAmount(offer.priceInCents, offer.currency) ? offer : { ...offer, price: amount };
}

/** The sentence about a renewal's payment that hasn't arrived. */
export function paymentLineOf(news: Extract<Standing, { kind: 'pending' }>): Text {
  const sum = amountOf(news) ?? `the price of ${nameOf(news)}`;
  if (news.dueOn !== null) return text`Our invoice of ${sum} is due on ${day(news.dueOn)}.`;
  const state = {
    soon: 'will be taken within the hour.',
    delayed: "hasn't been taken yet. You don't have to do anything.",
    processing: 'is being processed by your bank.',
  }[news.payment];
  return text`The payment of ${sum} for the new ${offerOf(news).interval} ${state}`;
}
