import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';
import { momentInWords } from './moment.ts';
import { moneyInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** Tells a user that the payment of a second subscription goes back. */
export function paymentRefundedEmail({
  siteUrl,
  refunded,
}: {
  siteUrl: string;
  refunded: NonNullable<BillingState['refunded']>;
}): Notice {
  const { amount, currency, boughtAt } = refunded;
  const sum = amount === undefined ? 'what you paid for it' : moneyInWords({ amount, currency });
  return notice({
    name: 'payment-refunded',
    subject: `A refund from ${product.name}`,
    preview: `You had paid for ${name} twice.`,
    heading: 'You are getting a refund',
    paragraphs: [
      `There is nothing to do: on ${momentInWords(new Date(boughtAt * 1000))} you bought ${name} although you already had it. We ended the second subscription and refunded ${sum}.`,
      'The money goes back the way it came. Banks usually take five to ten days.',
      `Your ${name} itself is not affected.`,
    ],
    button: { label: 'See my invoices', url: `${siteUrl}/dashboard` },
    closing: `If the money does not arrive, write to ${product.supportEmail}.`,
  });
}
