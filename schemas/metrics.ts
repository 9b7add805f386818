/**
 * What functions count, and its unit in CloudWatch. No metric has a dimension: each stage has a namespace.
 */
export const metrics = {
  /** Accounts that were confirmed, or signed in with a provider for the first time. */
  SignUps: 'Count',
  /** Stripe Checkout Sessions that were opened. */
  CheckoutsStarted: 'Count',
  /** Users whose plan became Plus because of a subscription. */
  PlusStarted: 'Count',
  /** Paid plans that were renewing and no longer do: cancelled, or never paid after a failed renewal. */
  Cancellations: 'Count',
  /** Refunds that were asked of Stripe by a function. */
  Refunds: 'Count',
  /** Events in Stripe's list of a type that webhooks are sent for, at the time of the event. */
  StripeEvents: 'Count',
  /** Webhooks with a good signature. The event catch-up adds zero, so that there is always a number. */
  WebhooksReceived: 'Count',
  /** Tries of the canary that failed: one, or zero for a try that didn't. */
  CanaryFailures: 'Count',
  /** How far the event catch-up's cursor is behind, after a run. */
  CatchUpLag: 'Seconds',
  /** How old the last complete export of the user pool is, after a run. */
  UserExportAge: 'Seconds',
  /** Users whose row is on Plus by payment, and for whom Stripe has no subscription that gives it. */
  UnpaidPlus: 'Count',
} as const satisfies Record<string, 'Count' | 'Seconds'>;

export type MetricName = keyof typeof metrics;

/** The variable of every function that names the namespace of its metrics. */
export const METRIC_NAMESPACE = 'METRIC_NAMESPACE';
