/**
 * Requests a second of each job, all its processes together. At least half of the hundred that Stripe answers
 * in live mode (https://docs.stripe.com/rate-limits) is left to webhooks and users.
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
