import * as z from 'zod/mini';

/**
 * What a function may need from the stack. A need is two things at once: the environment variables listed
 * here, and the grant that `infra/constructs/app-function.ts` gives with them. A function names its needs
 * and gets nothing else.
 */
export const needs = {
  /** Read rows of UserPlans. */
  readPlans: { PLANS_TABLE: z.string() },
  /** Read and write rows of UserPlans, and query its `by_expiry` index. */
  writePlans: { PLANS_TABLE: z.string() },
  joinWaitlist: { WAITLIST_TABLE: z.string() },
  /**
   * Talk to Stripe. `STRIPE_API` is an origin, `STRIPE_SECRET_ID` the Secrets Manager secret whose value
   * is a `StripeSecret`.
   */
  stripe: { STRIPE_API: z.url(), STRIPE_SECRET_ID: z.string() },
  /** Know the site's own address, an origin without a trailing slash. */
  site: { SITE_URL: z.url() },
} as const satisfies Record<string, Record<string, z.ZodMiniType>>;

export type Need = keyof typeof needs;

type Variables<N extends Need> = (typeof needs)[N];
/** The environment of a function that has these needs. */
export type Environment<N extends Need> = {
  [K in N extends N ? keyof Variables<N> : never]: string;
};

/** Value of the Stripe secret, as JSON. */
export const StripeSecret = z.object({ secretKey: z.string(), webhookSecret: z.string() });
export type StripeSecret = z.infer<typeof StripeSecret>;

/**
 * Functions that no route leads to, by their file under `functions/`, with what they need. Routes name
 * theirs in `api.ts`.
 */
export const backgroundFunctions = {
  'schedules/expiry-sweep': ['writePlans', 'stripe'],
  'schedules/event-catch-up': ['writePlans', 'stripe'],
  'identity/post-confirmation': ['writePlans'],
  'identity/custom-message': ['site'],
} as const satisfies Record<string, readonly Need[]>;

export type BackgroundFunction = keyof typeof backgroundFunctions;

/** `/config.json` of the site: what the browser has to know about the stack it is served by. */
export const SiteConfig = z.object({
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  /** Origin of the Cognito user pool API. */
  userPoolEndpoint: z.url(),
  stripePublishableKey: z.string(),
});
export type SiteConfig = z.infer<typeof SiteConfig>;
