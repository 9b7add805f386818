/** The metrics that functions write. No metric has a dimension: each stage has its own namespace. */
export const metrics = [
  /** Accounts that were confirmed, or signed in with a provider for the first time. */
  'SignUps',
  'CheckoutsStarted',
  /** Users whose plan became Plus because of a subscription. */
  'PlusStarted',
  /** Paid plans that stopped renewing: canceled, or never paid after a failed renewal. */
  'Cancellations',
  /** Users who were missing from the pool, and whose billing was therefore ended. */
  'OrphansEnded',
  /** Refunds that a function requested from Stripe. */
  'Refunds',
  /** Events in Stripe's list, of the types that are sent to the webhook, at the time of the event. */
  'StripeEvents',
  /** Webhooks with a valid signature. The event catch-up adds zero, so that there is always a value. */
  'WebhooksReceived',
  /** Failed tries of the canary: one for a failure, zero for a success. */
  'CanaryFailures',
  /** Age of the event catch-up's cursor after a run. Seconds: the others are counts. */
  'CatchUpLag',
  /** Users whose row and Stripe's subscriptions disagree about the plan, of all rows and subscriptions. */
  'PlanDisagreements',
  // Events that alarms count: `schemas/config/counted-events.ts`.
  'IdleJump',
  'StuckMoney',
  'StripeKeyRefused',
  'GitHubSecretRefused',
  'UnfinishedRuns',
  'UnsentMail',
  'TriggerRefusals',
] as const;

export type MetricName = (typeof metrics)[number];

/** The variable of every function that holds the namespace of its metrics. */
export const METRIC_NAMESPACE = 'METRIC_NAMESPACE';
