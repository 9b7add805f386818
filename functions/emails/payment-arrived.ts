import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';
import { dayOfUnix, howToCancel, invoiceButton, moneyInWords, termsInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** The receipt of a payment that had failed before. */
export function paymentArrivedEmail({
  siteUrl,
  state,
  paid,
  wasLost,
}: {
  siteUrl: string;
  state: BillingState;
  paid: NonNullable<BillingState['paid']>;
  /** Whether Plus had ended meanwhile. */
  wasLost: boolean;
}): Notice {
  const receipt = `${moneyInWords(paid)} was paid on ${dayOfUnix(paid.at)}`;
  return notice({
    name: 'payment-arrived',
    subject: `Your payment for ${product.name} ${name} has arrived`,
    preview: `${receipt}. There is nothing to do.`,
    heading: 'Your payment has arrived',
    paragraphs: [
      `There is nothing left to do: ${receipt}, and ${wasLost ? `${name} is back` : `${name} continues`}.`,
      termsInWords(state),
      howToCancel(siteUrl),
    ],
    button: invoiceButton(paid.url, siteUrl),
    closing: `If something about this charge is not right, write to ${product.supportEmail}.`,
  });
}
