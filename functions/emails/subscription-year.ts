import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';
import { howToCancel, termsInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** Reminds a payer once a year of the subscription, its price and the way out. */
export function subscriptionYearEmail({
  siteUrl,
  state,
  years,
}: {
  siteUrl: string;
  state: BillingState;
  years: number;
}): Notice {
  const time = years === 1 ? 'a year' : `${years} years`;
  return notice({
    name: 'subscription-year',
    subject: `You have had ${product.name} ${name} for ${time}`,
    preview: termsInWords(state),
    heading: `${time.charAt(0).toUpperCase()}${time.slice(1)} of ${name}`,
    paragraphs: [
      `If you still use ${name}, there is nothing to do. If you don't, cancel it: you have had it for ${time}, and once a year we write so that nobody pays for something forgotten.`,
      termsInWords(state),
      howToCancel(siteUrl),
    ],
    button: { label: `Cancel ${name}`, url: `${siteUrl}/cancel` },
    closing: 'We send this email once a year.',
  });
}
