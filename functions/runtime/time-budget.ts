import type { Context } from 'aws-lambda';

// One look at one person can take three tries of eight seconds at Stripe and ten rounds against other writers; what is begun
// a minute and a half before Lambda's end is done in time.
const RESERVE = 90_000;

/** Whether a function should begin nothing new, by what Lambda says is left of its time. */
export const outOfTime =
  (context: Pick<Context, 'getRemainingTimeInMillis'>): (() => boolean) =>
  () =>
    context.getRemainingTimeInMillis() < RESERVE;
