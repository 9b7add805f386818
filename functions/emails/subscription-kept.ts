import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';
import { howToCancel, termsInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** Tells a user that Plus goes on after all: its end was taken back. */
export function subscriptionKeptEmail({ siteUrl, state }: { siteUrl: string; state: BillingState }): Notice {
  const { complimentary } = state;
  return notice({
    name: 'subscription-kept',
    subject: `Your ${product.name} ${name} continues`,
    preview: complimentary ? 'It costs nothing.' : termsInWords(state),
    heading: `${name} continues`,
    paragraphs: [
      `There is nothing to do: ${name} will not end after all.`,
      ...(complimentary ? ['It costs you nothing.'] : [termsInWords(state), howToCancel(siteUrl)]),
    ],
    button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
    closing: `If it was not you, choose a new password on your dashboard, which ends every other session, and write to ${product.supportEmail}.`,
  });
}
