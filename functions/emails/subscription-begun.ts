import { type PaidPlan, plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { defineEmail } from './define-email.ts';
import { dayOfUnix, howToCancel, invoiceButton, moneyInWords, termsInWords } from './plan-terms.ts';

export const subscriptionBegunEmail = defineEmail({
  name: 'subscription-begun',
  occasion: 'you have bought a plan',
  compose: ({ siteUrl, plan, state }: { plan: PaidPlan; siteUrl: string; state: BillingState }) => {
    const { name } = plans[plan];
    const { paid } = state;
    const receipt = paid ? ` You paid ${moneyInWords(paid)} on ${dayOfUnix(paid.at)}.` : '';
    return {
      subject: `Welcome to ${product.name} ${name}`,
      preview: termsInWords(name, state),
      heading: `Welcome to ${name}`,
      paragraphs: [
        `You're all set: ${name} works wherever you are signed in to ${product.name}.${receipt}`,
        termsInWords(name, state),
        howToCancel(name, siteUrl),
      ],
      button: invoiceButton(paid?.url, siteUrl),
      closing: `If you did not buy ${name}, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, plan, state }) => ({ 'with a receipt': { siteUrl, plan, state } }),
});
