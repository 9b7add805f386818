import { setTimeout as wait } from 'node:timers/promises';

/**
 * Lets its callers go on one by one, at least so many milliseconds apart, however many wait. For quotas of
 * calls a second: what a call itself takes isn't added.
 */
export function paceOf(
  interval: number,
  pause: (milliseconds: number) => Promise<unknown> = wait,
  clock: () => number = () => performance.now(),
): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = clock();
    const turn = Math.max(now, next);
    next = turn + interval;
    if (turn > now) await pause(turn - now);
  };
}
