import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';
import { dayOfUnix, howToCancel, invoiceButton, moneyInWords, termsInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** Confirms a purchase, with its terms. */
export function subscriptionBegunEmail({ siteUrl, state }: { siteUrl: string; state: BillingState }): Notice {
  const { paid } = state;
  const receipt = paid ? ` You paid ${moneyInWords(paid)} on ${dayOfUnix(paid.at)}.` : '';
  return notice({
    name: 'subscription-begun',
    subject: `Your ${product.name} ${name} has started`,
    preview: termsInWords(state),
    heading: `${name} has started`,
    paragraphs: [
      `There is nothing left to do: ${name} works wherever you are signed in to ${product.name}.${receipt}`,
      termsInWords(state),
      howToCancel(siteUrl),
    ],
    button: invoiceButton(paid?.url, siteUrl),
    closing: `If you did not buy ${name}, write to ${product.supportEmail}.`,
  });
}
