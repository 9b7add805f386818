import * as z from 'zod/mini';

/**
 * What functions may need from the stack. A need is a set of environment variables, listed here, and a grant,
 * listed in `infra/provisions.ts`. A function gets what its own needs list, and nothing else.
 */
export const needs = {
  /** Read rows of UserPlans, and query its `by_expiry` index. */
  readPlans: { PLANS_TABLE: z.string() },
  /** Read and write rows of UserPlans, and query its `by_expiry` index. */
  writePlans: { PLANS_TABLE: z.string() },
  /** Remove a row of UserPlans. */
  deletePlans: { PLANS_TABLE: z.string() },
  /** Add an entry to the waitlist. */
  joinWaitlist: { WAITLIST_TABLE: z.string() },
  /** Read a waitlist entry by its address. */
  readWaitlist: { WAITLIST_TABLE: z.string() },
  /** Call Stripe. `STRIPE_API` is an origin, `STRIPE_SECRET_ID` the secret that holds a `StripeSecret`. */
  stripe: { STRIPE_API: z.url(), STRIPE_SECRET_ID: z.string() },
  /** Write links to the site. `SITE_URL` is its origin, without a trailing slash. */
  site: { SITE_URL: z.url() },
  /** Send mail through SES. `MAIL_FROM` is a mailbox like `Selfsame <no-reply@selfsame.example>`. */
  mail: { MAIL_FROM: z.string() },
  /** Look users up in the user pool. */
  findAccounts: { USER_POOL_ID: z.string() },
  /** Sign users in at GitHub. Two origins, and the secret that holds an `OAuthClientSecret`. */
  github: { GITHUB_URL: z.url(), GITHUB_API: z.url(), GITHUB_SECRET_ID: z.string() },
  /**
   * Issue ID tokens to Cognito. `OIDC_KEY_ID` is the KMS key that signs them, `OIDC_SECRET_ID` the secret
   * that holds an `IssuerSecret`, `COGNITO_CALLBACK` the only address that codes are sent to.
   */
  signIdTokens: { OIDC_KEY_ID: z.string(), OIDC_SECRET_ID: z.string(), COGNITO_CALLBACK: z.url() },
} as const satisfies Record<string, Record<string, z.ZodMiniType>>;

export type Need = keyof typeof needs;

type Variables<N extends Need> = (typeof needs)[N];
/** The environment of a function with these needs. */
export type Environment<N extends Need> = {
  [K in N extends N ? keyof Variables<N> : never]: string;
};

/** Value of the Stripe secret, in JSON. */
export const StripeSecret = z.object({
  secretKey: z.string(),
  // With an empty secret, Stripe's library would refuse every signature as forged.
  webhookSecret: z.string().check(z.regex(/^\S+$/)),
});
export type StripeSecret = z.infer<typeof StripeSecret>;

/** Value of a provider's secret: our OAuth client there. */
export const OAuthClientSecret = z.object({ clientId: z.string(), clientSecret: z.string() });
export type OAuthClientSecret = z.infer<typeof OAuthClientSecret>;

/** Cognito's client id at `functions/github-oidc`. Not a secret. */
export const COGNITO_CLIENT_ID = 'cognito';

/** Value of the secret that Cognito authenticates with at `functions/github-oidc`. */
export const IssuerSecret = z.object({ clientSecret: z.string() });
export type IssuerSecret = z.infer<typeof IssuerSecret>;

/** The needs of functions without a route, by their file in `functions/`. `api.ts` has those of routes. */
export const backgroundFunctions = {
  'schedules/expiry-sweep': ['writePlans', 'stripe'],
  'schedules/event-catch-up': ['writePlans', 'deletePlans', 'findAccounts', 'stripe'],
  // `infra/constructs/triggers.ts` gives triggers their rights to the user pool. As needs they would make a
  // cycle.
  'triggers/post-confirmation': ['writePlans', 'mail', 'site'],
  'triggers/custom-message': ['site'],
  'triggers/pre-sign-up': ['mail', 'site'],
} as const satisfies Record<string, readonly Need[]>;

export type BackgroundFunction = keyof typeof backgroundFunctions;

/** `/config.json` of the site: what the browser has to know about the stack. */
export const SiteConfig = z.object({
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  /** Origin of the Cognito user pool API. */
  userPoolEndpoint: z.url(),
  /** Origin of the pool's hosted domain, where sign-ins with providers begin. */
  signInOrigin: z.url(),
  /** The user pool client of the relay. */
  relayClientId: z.string(),
  /** Where the relay may send tokens. `relay-address.ts` compares them. */
  relayAddresses: z.array(z.string()),
  stripePublishableKey: z.string(),
});
export type SiteConfig = z.infer<typeof SiteConfig>;
