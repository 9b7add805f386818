import type { Offer } from '../../../schemas/product/offers.ts';
import type { BillingResponse } from '../../../schemas/shapes/billing.ts';
import type { Standing } from '../../../schemas/shapes/standing.ts';
import { formatAmount } from '../../../schemas/product/format-amount.ts';
import { type KnownPlan, offerOf } from '../../../schemas/product/known-plan.ts';
import { amountOf } from '../../../schemas/shapes/standing-in-words.ts';
import type { Read } from './plan-status.ts';

export type Billing = Read<BillingResponse>;

/** The standing as the server answers it. The pages differ in wording and in detail. */
export type ShownStanding = Standing | (KnownPlan & { kind: 'loading' }) | (KnownPlan & { kind: 'unread' });

/**
 * The offer with the price that the user pays for it, which may be older than the site's. Undefined if the
 * plan doesn't renew, or its price isn't fixed.
 */
export function offerPaidIn(standing: ShownStanding): Offer | undefined {
  const renews =
    (standing.kind === 'renews' && standing.until === null) ||
    ('endsAt' in standing && standing.endsAt === null);
  const amount = renews ? amountOf({ money: standing.price ?? null }) : null;
  if (amount === null) return undefined;
  const offer = offerOf(standing);
  return amount === formatAmount(offer.priceInCents, offer.currency) ? offer : { ...offer, price: amount };
}
