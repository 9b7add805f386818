import type Stripe from 'stripe';
import { refusalIn } from './refusals.ts';

/**
 * Keeps the id of one of our objects at Stripe for the life of the process. If Stripe refuses a request with
 * a cached id, it is looked up once more: the object may have been archived.
 */
export function cachedId(
  find: (stripe: Stripe) => Promise<string>,
): <T>(stripe: Stripe, work: (id: string) => Promise<T>) => Promise<T> {
  let cached: string | undefined;
  return async (stripe, work) => {
    if (cached !== undefined) {
      try {
        return await work(cached);
      } catch (error) {
        if (!(await refusalIn(error))) throw error;
      }
    }
    cached = await find(stripe);
    return work(cached);
  };
}
