import { cognitoSessionUser } from '../adapters/cognito/session-user.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { planTable, tasks } from '../adapters/tables.ts';
import { jobShares, processesOf, type StripeJob } from '../../schemas/config/stripe-shares.ts';
import { rateLimiter } from '../runtime/rate-limiter.ts';

/** The adapters that reconcile a plan: `ReconcileDependencies`. */
export const planAdapters = { planTable, billing: stripeBilling, tasks };

/** The same for a route of signed-in users. */
export const planRouteAdapters = { ...planAdapters, sessionUser: cognitoSessionUser };

/** The same for a job, which asks Stripe no more often than its share allows. */
export const jobAdapters = (job: StripeJob) => {
  const pace = rateLimiter((1_000 * processesOf(job)) / jobShares[job]);
  return {
    ...planAdapters,
    billing: (of: Parameters<typeof stripeBilling>[0]) => stripeBilling(of, pace),
  };
};
