/** What differs between the stages. Everything else is the same stack. */
export interface Stage {
  /** Cognito's feature plan. Nothing here needs more than LITE; see the decision on rotation for the one doubt. */
  featurePlan: 'LITE' | 'ESSENTIALS';
  /** Whether tables and the user pool outlive a deleted stack, and refuse to be deleted by accident. */
  keepsData: boolean;
  /** Stripe's publishable key. It is public: it stands in every checkout page. */
  stripePublishableKey: string;
  /** Requests a second over all callers together, and how many may come at once. */
  throttle: { rate: number; burst: number };
  /** Days that function and access logs are kept. */
  logDays: 7 | 30 | 90;
  /** Gets a mail when an alarm goes off; nobody does where it is absent. */
  alarmEmail?: string;
  /** The site's own domain and its certificate in us-east-1; CloudFront's domain where it is absent. */
  domain?: { name: string; certificateArn: string };
}

export const stages = {
  staging: {
    featurePlan: 'LITE',
    keepsData: false,
    stripePublishableKey: 'pk_test_put_yours_here',
    throttle: { rate: 50, burst: 100 },
    logDays: 7,
  },
  production: {
    featurePlan: 'LITE',
    keepsData: true,
    stripePublishableKey: 'pk_live_put_yours_here',
    // A hundred thousand monthly users come at some ten requests a second at the busiest; ten times that is
    // left for a good day, and what is beyond is an attack.
    throttle: { rate: 100, burst: 200 },
    logDays: 90,
  },
} as const satisfies Record<string, Stage>;

export type StageName = keyof typeof stages;
