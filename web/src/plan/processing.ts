import { type KnownPlan, nameOf } from './known-plan.ts';

/** Sentences about a payment that the bank is still processing. */
export const processing = {
  /** Without its full stop. */
  what: 'Your payment is being processed',
  nextOf: (known: KnownPlan): string =>
    `Your bank can take a few days. ${nameOf(known)} begins when the money arrives. No action needed.`,
};
