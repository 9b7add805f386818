import type { Context } from 'aws-lambda';
import { type BackgroundFunction, backgroundFunctions } from '../../schemas/background-functions.ts';
import type { Environment } from '../../schemas/config/environment.ts';
import { type Made, withAdapters } from './with-environment.ts';

// Milliseconds. Reconciling a user can take three tries of eight seconds at Stripe and ten attempts against
// other writers. Work begun a minute and a half before Lambda's timeout finishes in time.
const RESERVED = 90_000;

/** The handler of a background function, which begins no new work once Lambda reports that time is short. */
export const withinTime = <
  N extends BackgroundFunction,
  F extends Record<string, (of: Environment<(typeof backgroundFunctions)[N]>) => unknown>,
  Event,
  Result,
>(
  name: N,
  factories: F,
  compose: (adapters: Made<F>) => (isOver: () => boolean, event: Event) => Result,
) =>
  withAdapters(backgroundFunctions[name], factories, (adapters: Made<F>) => {
    const run = compose(adapters);
    return (event: Event, context: Context): Result =>
      run(() => context.getRemainingTimeInMillis() < RESERVED, event);
  });
