import type Stripe from 'stripe';
import { stripeErrors } from './refusals.ts';

/**
 * Keeps the id of an object of ours at Stripe for the life of the process, so that it isn't looked up for
 * every user. If Stripe refuses a request with a kept id, it is looked up once more: somebody may have
 * archived the object meanwhile.
 */
export function keptId(
  find: (stripe: Stripe) => Promise<string>,
): <T>(stripe: Stripe, work: (id: string) => Promise<T>) => Promise<T> {
  let kept: string | undefined;
  return async (stripe, work) => {
    if (kept !== undefined) {
      try {
        return await work(kept);
      } catch (error) {
        const errors = await stripeErrors();
        if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
      }
    }
    kept = await find(stripe);
    return work(kept);
  };
}
