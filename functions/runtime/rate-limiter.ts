import { setTimeout as wait } from 'node:timers/promises';

/** Lets its callers proceed one at a time, at least `interval` milliseconds apart, for quotas per second. */
export function rateLimiter(
  interval: number,
  pause: (milliseconds: number) => Promise<unknown> = wait,
  clock: () => number = () => performance.now(),
): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = clock();
    const slot = Math.max(now, next);
    next = slot + interval;
    if (slot > now) await pause(slot - now);
  };
}
