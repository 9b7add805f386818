import type { Context } from 'aws-lambda';

// Milliseconds. Reconciling a user can take three tries of eight seconds at Stripe and ten attempts against
// other writers. Work begun a minute and a half before Lambda's timeout finishes in time.
const RESERVED = 90_000;

/** Whether a function should begin no new work, by the remaining time that Lambda reports. */
export const isOutOfTime =
  (context: Pick<Context, 'getRemainingTimeInMillis'>): (() => boolean) =>
  () =>
    context.getRemainingTimeInMillis() < RESERVED;

/** A schedule's handler, which ignores its event and begins no new work once time is short. */
export const withinTime =
  <Result>(run: (isOver: () => boolean) => Result) =>
  (_: unknown, context: Context): Result =>
    run(isOutOfTime(context));
