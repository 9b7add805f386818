import type { StripeSecret } from '../../../schemas/config/stripe-secret.ts';
import { attempt } from '../../runtime/attempt.ts';

/** The Stripe secret, cached for the life of a process. */
export interface CachedSecret {
  /** The secret as last read. */
  readonly current: StripeSecret;
  /**
   * Makes a function that reads the secret again, at most once a minute. Calls during a read wait for that
   * read, and other calls within the minute do nothing. A failed read is logged and keeps the secret as it
   * is.
   */
  rereader(): () => Promise<void>;
}

const MINUTE = 60_000;

/** Reads the secret. `clock` returns milliseconds. */
export async function cachedSecret(
  read: () => Promise<StripeSecret>,
  clock: () => number = () => Date.now(),
): Promise<CachedSecret> {
  let current = await read();
  const readAgain = async (): Promise<void> => {
    current = (await attempt('stripe-secret-not-read', {}, read)) ?? current;
  };
  return {
    get current() {
      return current;
    },
    rereader() {
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
