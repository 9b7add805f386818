import { plans } from '../../../schemas/product/product.ts';

const next = `${plans.plus.name} begins when the money arrives. There's nothing you need to do.`;

/** Sentences about a payment that the bank is still processing. */
export const processing = {
  what: 'Your payment is being processed.',
  next,
  /** The long form. */
  whole: `We're waiting for your bank, which can take a few days. ${next}`,
};
