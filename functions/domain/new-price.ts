import { retention } from '../../schemas/product/retention.ts';
import type { BillingState, NewPrice } from '../../schemas/rows/billing-state.ts';
import { isEntitling, type Subscription } from './subscription.ts';

/**
 * Whether the price is to replace the subscription's own: another amount in the same currency and interval,
 * and no arrangement of support's.
 */
export const isToMove = (subscription: Subscription, price: NewPrice): boolean =>
  isEntitling(subscription) &&
  subscription.hasSiteTerms &&
  subscription.currency === price.currency &&
  subscription.interval === price.interval &&
  subscription.amount !== price.amount;

/** The time from which a price may be charged whose mail was sent at `toldAt`. Both in Unix seconds. */
export const noticeEnd = (toldAt: number): number => toldAt + retention.daysOfPriceNotice * 86_400;

/**
 * The first renewal at or after `from`, in Unix seconds: on the anchor's day of a month, or on the last day
 * of a month that is too short (https://docs.stripe.com/billing/subscriptions/billing-cycle).
 */
export function renewalFrom(
  { anchor, interval }: Pick<NonNullable<BillingState['newPrice']>, 'anchor' | 'interval'>,
  from: number,
): number {
  const start = new Date(anchor * 1000);
  const step = interval === 'year' ? 12 : 1;
  for (let months = 0; ; months += step) {
    const month = start.getUTCMonth() + months;
    const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
    const renewal = new Date(start);
    renewal.setUTCMonth(month, Math.min(start.getUTCDate(), lastDay));
    if (renewal.getTime() / 1000 >= from) return renewal.getTime() / 1000;
  }
}
