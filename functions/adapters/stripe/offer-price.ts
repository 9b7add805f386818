import type Stripe from 'stripe';
import {
  lowestPaidPlan,
  type Offer,
  type PaidPlan,
  isPaid,
  isPlanName,
} from '../../../schemas/product/offers.ts';
import { lookupKeyOf } from '../../../schemas/product/stripe-prices.ts';

/** The id of the offer's price. Throws if Stripe has none: only a deployment creates prices. */
export async function offerPrice(stripe: Stripe, stage: string, offer: Offer): Promise<string> {
  const lookupKey = lookupKeyOf(stage, offer);
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [price] = data;
  if (!price)
    throw new Error(`Stripe has no active price ${lookupKey}. A deployment of this version creates it.`);
  return price.id;
}

/** The plan that a price gives. If it names none that this version sells: the lowest paid plan. */
export function planOfPrice({ metadata }: Pick<Stripe.Price, 'metadata'>): PaidPlan {
  const { plan } = metadata;
  return isPlanName(plan) && isPaid(plan) ? plan : lowestPaidPlan;
}
