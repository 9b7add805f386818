import type { Interval, Price } from './price.ts';
import { limits } from './product.ts';

export interface PlanFacts {
  /** The place among the plans. A user who pays two has the plan with the higher rank. */
  rank: number;
  name: string;
  /** A sentence for the plan's card. */
  description: string;
  features: readonly [string, ...string[]];
}

export interface OfferFacts extends Price {
  plan: Exclude<keyof typeof plans, 'free'>;
  interval: Interval;
}

/** Everything about plans is derived from this file. A deployment creates a new price at Stripe. */
export const plans = {
  free: {
    rank: 0,
    name: 'Free',
    description: 'Everything you need to make AI sound like you.',
    features: [
      `${limits.freeRequestsPerDay} AI requests per day`,
      'Unlimited commands',
      'Unlimited contexts',
      'Customization',
    ],
  },
  plus: {
    rank: 1,
    name: 'Plus',
    description: 'For people who write all day.',
    features: ['Unlimited AI requests', 'Faster responses', 'Better models', 'Response type selection'],
  },
} as const satisfies Record<string, PlanFacts>;

/** The offers of paid plans, by the ends of their lookup keys at Stripe. A key stays once it is deployed. */
export const offers = {
  'plus-monthly': { plan: 'plus', priceInCents: 500, currency: 'usd', interval: 'month' },
} as const satisfies Record<string, OfferFacts>;
