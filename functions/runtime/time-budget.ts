import type { Context } from 'aws-lambda';

// Milliseconds. Reconciling a user can take three tries of eight seconds at Stripe and ten attempts against
// other writers; work begun a minute and a half before Lambda's timeout is done in time.
const RESERVED = 90_000;

/** Whether a function should begin no new work, by the time that Lambda says is left. */
export const isOutOfTime =
  (context: Pick<Context, 'getRemainingTimeInMillis'>): (() => boolean) =>
  () =>
    context.getRemainingTimeInMillis() < RESERVED;
