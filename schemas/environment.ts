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
  /** Remove a row of UserPlans. */
  deletePlans: { PLANS_TABLE: z.string() },
  joinWaitlist: { WAITLIST_TABLE: z.string() },
  /** Read an entry of the waitlist by its address. */
  readWaitlist: { WAITLIST_TABLE: z.string() },
  /**
   * Talk to Stripe. `STRIPE_API` is an origin, `STRIPE_SECRET_ID` the Secrets Manager secret whose value
   * is a `StripeSecret`.
   */
  stripe: { STRIPE_API: z.url(), STRIPE_SECRET_ID: z.string() },
  /** Know the site's own address, an origin without a trailing slash. */
  site: { SITE_URL: z.url() },
  /** Send mail through SES, from `MAIL_FROM`, a mailbox like `Selfsame <no-reply@selfsame.example>`. */
  mail: { MAIL_FROM: z.string() },
  /** Ask whether somebody is in the user pool. */
  findAccounts: { USER_POOL_ID: z.string() },
  /** Ask GitHub who somebody is. Two origins, and the Secrets Manager secret whose value is an `OAuthClientSecret`. */
  github: { GITHUB_URL: z.url(), GITHUB_API: z.url(), GITHUB_SECRET_ID: z.string() },
  /**
   * Vouch for somebody to Cognito. `OIDC_KEY_ID` is the KMS key that signs, `OIDC_SECRET_ID` the Secrets Manager secret whose
   * value is an `IssuerSecret`, `COGNITO_CALLBACK` the one address that codes are sent to.
   */
  signIdentities: { OIDC_KEY_ID: z.string(), OIDC_SECRET_ID: z.string(), COGNITO_CALLBACK: z.url() },
} as const satisfies Record<string, Record<string, z.ZodMiniType>>;

export type Need = keyof typeof needs;

type Variables<N extends Need> = (typeof needs)[N];
/** The environment of a function that has these needs. */
export type Environment<N extends Need> = {
  [K in N extends N ? keyof Variables<N> : never]: string;
};

/** Value of the Stripe secret, as JSON. */
export const StripeSecret = z.object({
  secretKey: z.string(),
  // With a blank one, Stripe's library refuses every signature as if the caller were wrong.
  webhookSecret: z.string().check(z.regex(/^\S+$/)),
});
export type StripeSecret = z.infer<typeof StripeSecret>;

/** Value of a provider's secret: what we are called there, and what proves it. */
export const OAuthClientSecret = z.object({ clientId: z.string(), clientSecret: z.string() });
export type OAuthClientSecret = z.infer<typeof OAuthClientSecret>;

/** What Cognito is called at our own issuer. Not a secret. */
export const COGNITO_CLIENT_ID = 'cognito';

/** Value of the secret that Cognito shows when it asks our own issuer for tokens. */
export const IssuerSecret = z.object({ clientSecret: z.string() });
export type IssuerSecret = z.infer<typeof IssuerSecret>;

/**
 * Functions that no route leads to, by their file under `functions/`, with what they need. Routes name
 * theirs in `api.ts`.
 */
export const backgroundFunctions = {
  'schedules/expiry-sweep': ['writePlans', 'stripe'],
  'schedules/event-catch-up': ['writePlans', 'deletePlans', 'findAccounts', 'stripe'],
  // The rights of triggers to their pool come from the Identity construct: they can't be granted them from outside.
  'triggers/post-confirmation': ['writePlans', 'mail', 'site'],
  'triggers/custom-message': ['site'],
  'triggers/pre-sign-up': ['mail', 'site'],
} as const satisfies Record<string, readonly Need[]>;

export type BackgroundFunction = keyof typeof backgroundFunctions;

/** `/config.json` of the site: what the browser has to know about the stack it is served by. */
export const SiteConfig = z.object({
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  /** Origin of the Cognito user pool API. */
  userPoolEndpoint: z.url(),
  /** Origin of the pool's hosted domain, where sign-in by others begins. */
  signInOrigin: z.url(),
  /** The client that other apps sign people in through, apart from the site's own. */
  relayClientId: z.string(),
  /** Where the relay may send tokens; see `relay-address.ts` for how they are compared. */
  relayAddresses: z.array(z.string()),
  stripePublishableKey: z.string(),
});
export type SiteConfig = z.infer<typeof SiteConfig>;
