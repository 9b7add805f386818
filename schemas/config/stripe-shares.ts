/** Requests that Stripe answers in a second in live mode (https://docs.stripe.com/rate-limits). */
export const STRIPE_RATE = 100;

/**
 * The requests a second that each job may make, all its processes together. Webhooks and users keep what is
 * left: at least half.
 */
export const jobShares = {
  'schedules/due-accounts': 10,
  'schedules/event-catch-up': 20,
  'schedules/billing-tasks': 5,
  'schedules/plan-agreement': 15,
} as const;

export type StripeJob = keyof typeof jobShares;

/** Processes of a job that run at the same time. SQS's smallest maximum of calls is two. */
export const processesOf = (job: StripeJob): number => (job === 'schedules/due-accounts' ? 2 : 1);
