import type { StripeSecret } from '../../../schemas/config/stripe-secret.ts';
import { attempt } from '../../runtime/attempt.ts';

const MINUTE = 60_000;

/** Reads the Stripe secret, and caches it for the life of the process. `clock` returns milliseconds. */
export async function cachedSecret(
  read: () => Promise<StripeSecret>,
  clock: () => number = () => Date.now(),
) {
  let current = await read();
  const readAgain = async (): Promise<void> => {
    current = (await attempt('stripe-secret-not-read', {}, read)) ?? current;
  };
  return {
    /** The secret as last read. */
    get current() {
      return current;
    },

    /**
     * Makes a function that reads the secret again, at most once a minute. Calls during a read wait for it. A
     * failed read is logged and keeps the secret.
     */
    rereader(): () => Promise<void> {
      let last = -Infinity;
      let reading = Promise.resolve();
      return () => {
        if (clock() - last >= MINUTE) {
          last = clock();
          reading = readAgain();
        }
        return reading;
      };
    },
  };
}
export type CachedSecret = Awaited<ReturnType<typeof cachedSecret>>;
