import type { Endpoint } from '../../schemas/routes/endpoint.ts';
import { Refusal } from './refusal.ts';

// Milliseconds. After 29 s, API Gateway answers in our place, without our sentence.
const ANSWER_WITHIN = 27_000;

/** Rejects where a service, mostly Stripe, doesn't answer in time. A task finishes what was begun. */
export async function answeredInTime<T>({ needs }: Endpoint, answer: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const isStripe = needs.includes('stripe');
      reject(isStripe ? new Refusal('stripe-unavailable') : new Error('A service did not answer in time.'));
    }, ANSWER_WITHIN);
  });
  try {
    return await Promise.race([answer(), late]);
  } finally {
    clearTimeout(timer);
  }
}
