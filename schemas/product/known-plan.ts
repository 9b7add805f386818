import { mainOffer, type Offer, offerNamed, type PaidPlan, plans } from './offers.ts';
import type { Interval } from './price.ts';

/** The known facts of a user's paid plan. The main offer stands in for what isn't known. */
export interface KnownPlan {
  plan?: PaidPlan | undefined;
  interval?: Interval | undefined;
}

export const nameOf = ({ plan = mainOffer.plan }: KnownPlan): string => plans[plan].name;

/** The offer to buy the plan again. */
export const offerOf = ({ plan = mainOffer.plan, interval }: KnownPlan): Offer =>
  offerNamed(plan, interval) ?? offerNamed(plan) ?? mainOffer;

export const checkoutOf = ({ plan, interval }: Offer): string =>
  offerNamed(plan)?.interval === interval
    ? `/checkout?plan=${plan}`
    : `/checkout?plan=${plan}&interval=${interval}`;
