import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { dayOfUnix, howToCancel, invoiceButton, moneyInWords, termsInWords } from './plan-terms.ts';

export const paymentArrivedEmail = defineEmail({
  name: 'payment-arrived',
  occasion: 'a payment that had failed has arrived',
  compose: ({
    plan,
    siteUrl,
    state,
    paid,
    wasLost,
  }: Of<'siteUrl' | 'plan' | 'state' | 'paid' | 'wasLost'>) => {
    const { name } = plans[plan];
    const receipt = `${moneyInWords(paid)} was paid on ${dayOfUnix(paid.at)}`;
    return {
      subject: `Your payment for ${product.name} ${name} has arrived`,
      preview: `${receipt}. No action needed.`,
      heading: 'Your payment has arrived',
      paragraphs: [
        `${receipt}, and ${wasLost ? `${name} is back` : `${name} continues`}. No action needed.`,
        termsInWords(name, state),
        howToCancel(name, siteUrl),
      ],
      button: invoiceButton(paid.url, siteUrl),
      closing: `If something about this charge is not right, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, laterEnd, paid, plan, state }) => ({
    'the plan continues': { siteUrl, plan, state, paid, wasLost: false },
    'the plan is back, with an end': {
      siteUrl,
      plan,
      state: { ...state, ends: laterEnd },
      paid,
      wasLost: true,
    },
  }),
});
