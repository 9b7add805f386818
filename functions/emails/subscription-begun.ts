import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { dayInWords } from './moment.ts';
import { dayOfUnix, howToCancel, invoiceButton, moneyInWords, termsInWords } from './plan-terms.ts';

export const subscriptionBegunEmail = defineEmail({
  name: 'subscription-begun',
  occasion: 'you have bought a plan',
  compose: ({ siteUrl, plan, state, withdrawUntil }: Of<'siteUrl' | 'plan' | 'state' | 'withdrawUntil'>) => {
    const { name } = plans[plan];
    const { paid } = state;
    const receipt = paid
      ? ` You paid ${moneyInWords(paid)} (${paid.currency.toUpperCase()}) on ${dayOfUnix(paid.at)}.`
      : '';
    return {
      subject: `Welcome to ${product.name} ${name}`,
      preview: termsInWords(name, state),
      heading: `Welcome to ${name}`,
      paragraphs: [
        `You're all set: ${name} works wherever you are signed in to ${product.name}.${receipt}`,
        termsInWords(name, state),
        howToCancel(name, siteUrl),
        ...(withdrawUntil
          ? [
              `You may withdraw from this contract until ${dayInWords(withdrawUntil)}, without giving a reason. Open ${siteUrl}/end-contract, or write to ${product.supportEmail}. ${name} then ends, and we refund everything you paid for it.`,
            ]
          : []),
        `The terms that you accepted are at ${siteUrl}/terms.`,
      ],
      button: invoiceButton(paid?.url, siteUrl),
      closing: `If you did not buy ${name}, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, plan, state, later }) => ({
    'with a receipt': { siteUrl, plan, state, withdrawUntil: undefined },
    'with a right of withdrawal': { siteUrl, plan, state, withdrawUntil: later },
  }),
});
