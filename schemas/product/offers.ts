import { eitherOf } from '../either-of.ts';
import {
  offers as catalogue,
  type OfferFacts,
  plans as planFacts,
  type PlanFacts,
} from './plans-and-offers.ts';
import { amountText, type Interval, intervalWords } from './price.ts';

export type PlanName = keyof typeof planFacts;
export type PaidPlan = OfferFacts['plan'];
export type OfferKey = keyof typeof catalogue;

export interface Offer extends OfferFacts {
  key: OfferKey;
  /** The plan's name. */
  name: string;
  /** `$5`. */
  price: string;
  /** `per month`. */
  period: string;
}

export const intervals = Object.keys(intervalWords) as [Interval, ...Interval[]];

export const plans: Readonly<Record<PlanName, PlanFacts>> = planFacts;

export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]];

export const isPaid = (plan: PlanName): plan is PaidPlan => plan !== 'free';

/** The lowest first. */
export const paidPlans = planNames
  .filter(isPaid)
  .toSorted((one, other) => plans[one].rank - plans[other].rank) as [PaidPlan, ...PaidPlan[]];

/** The lowest paid plan: of subscriptions and rows that name no plan. */
export const lowestPaidPlan = paidPlans[0];

const facts: Readonly<Record<OfferKey, OfferFacts>> = catalogue;

/** All offers, in the order of the catalogue. */
export const offers: readonly Offer[] = (Object.keys(facts) as OfferKey[]).map((key) => ({
  key,
  ...facts[key],
  name: plans[facts[key].plan].name,
  price: amountText(facts[key]),
  period: intervalWords[facts[key].interval].period,
}));

/** The first offer of the catalogue: pages name it to visitors who haven't chosen an offer. */
export const mainOffer = offers[0] as Offer;

/** The names of the paid plans, for sentences about any of them: `Plus`, or `Plus or Pro`. */
export const paidNames = eitherOf(paidPlans.map((plan) => plans[plan].name));

/** The price of Free: `$0`, `forever`. */
export const free = {
  ...plans.free,
  price: amountText({ priceInCents: 0, currency: mainOffer.currency }),
  period: 'forever',
};

const sold = intervals.filter((interval) => offers.some((offer) => offer.interval === interval));
/** The words for the intervals that are sold: `monthly`, `a month`. */
export const soldIntervals = {
  by: eitherOf(sold.map((interval) => intervalWords[interval].by)),
  one: eitherOf(sold.map((interval) => intervalWords[interval].one)),
};

export const offersOf = (plan: PlanName): readonly Offer[] => offers.filter((offer) => offer.plan === plan);

/** The offer that a request names, in any case of the plan's name; without an interval, the plan's first. */
export const offerNamed = (plan: string, interval?: string): Offer | undefined =>
  offers.find(
    (offer) => offer.plan === plan.toLowerCase() && (interval === undefined || offer.interval === interval),
  );
