/**
 * The metrics that functions write, and their units in CloudWatch. No metric has a dimension: each stage has
 * its own namespace.
 */
export const metrics = {
  /** Accounts that were confirmed, or signed in with a provider for the first time. */
  SignUps: 'Count',
  /** Stripe Checkout Sessions that were opened. */
  CheckoutsStarted: 'Count',
  /** Users whose plan became Plus because of a subscription. */
  PlusStarted: 'Count',
  /** Paid plans that stopped renewing: canceled, or never paid after a failed renewal. */
  Cancellations: 'Count',
  /** Users who were missing from the pool, and whose billing was therefore ended. */
  OrphansEnded: 'Count',
  /** Refunds that a function requested from Stripe. */
  Refunds: 'Count',
  /** Events in Stripe's list, of the types that are sent to the webhook, at the time of the event. */
  StripeEvents: 'Count',
  /** Webhooks with a valid signature. The event catch-up adds zero, so that there is always a value. */
  WebhooksReceived: 'Count',
  /** Failed tries of the canary: one for a failure, zero for a success. */
  CanaryFailures: 'Count',
  /** Age of the event catch-up's cursor after a run. */
  CatchUpLag: 'Seconds',
  /** Age of the last complete export of the user pool, after a run. */
  UserExportAge: 'Seconds',
  /** Sign-ins and renewed tokens that were not recorded as use of the account. */
  UnrecordedUses: 'Count',
  /** Users whose row and Stripe's subscriptions disagree about the plan, of all rows and subscriptions. */
  PlanDisagreements: 'Count',
  // Events that alarms count: `schemas/config/counted-events.ts`.
  AppTokensReused: 'Count',
  FailedRefunds: 'Count',
  BillingStuck: 'Count',
  IdleLimitReached: 'Count',
  StripeKeyRefused: 'Count',
  StripeRefusals: 'Count',
  PlanContradictions: 'Count',
  GitHubSecretRefused: 'Count',
  UnfinishedRuns: 'Count',
  UnfinishedDailyRuns: 'Count',
  UnsentMail: 'Count',
  SuppressionNotRead: 'Count',
  RefusedMessages: 'Count',
  RefusedConfirmations: 'Count',
  RefusedSignUps: 'Count',
  RefusedTokens: 'Count',
} as const satisfies Record<string, 'Count' | 'Seconds'>;

export type MetricName = keyof typeof metrics;

/** The variable of every function that holds the namespace of its metrics. */
export const METRIC_NAMESPACE = 'METRIC_NAMESPACE';
