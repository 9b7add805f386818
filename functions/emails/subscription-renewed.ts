import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';
import { dayOfUnix, howToCancel, invoiceButton, moneyInWords, termsInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** The receipt of a renewal. */
export function subscriptionRenewedEmail({
  siteUrl,
  state,
  paid,
}: {
  siteUrl: string;
  state: BillingState;
  paid: NonNullable<BillingState['paid']>;
}): Notice {
  const receipt = `${moneyInWords(paid)} was paid on ${dayOfUnix(paid.at)}`;
  return notice({
    name: 'subscription-renewed',
    subject: `Receipt for your ${product.name} ${name}: ${moneyInWords(paid)}`,
    preview: `${receipt}. There is nothing to do.`,
    heading: `${name} was renewed`,
    paragraphs: [
      `There is nothing to do: ${receipt}, and ${name} continues.`,
      termsInWords(state),
      howToCancel(siteUrl),
    ],
    button: invoiceButton(paid.url, siteUrl),
    closing: `If something about this charge is not right, write to ${product.supportEmail}.`,
  });
}
