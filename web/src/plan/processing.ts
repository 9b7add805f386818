import { type KnownPlan, nameOf } from './known-plan.ts';

const nextOf = (known: KnownPlan): string =>
  `${nameOf(known)} begins when the money arrives. No action needed.`;

/** Sentences about a payment that the bank is still processing. */
export const processing = {
  what: 'Your payment is being processed.',
  nextOf,
  /** The long form. */
  wholeOf: (known: KnownPlan): string =>
    `We're waiting for your bank, which can take a few days. ${nextOf(known)}`,
};
