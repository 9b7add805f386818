import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { chargeInWords, howToCancel, moneyInWords } from './plan-terms.ts';

export const subscriptionTermsEmail = defineEmail({
  name: 'subscription-terms',
  occasion: 'the next charge for your plan is higher than the last one, or moves',
  compose: ({ plan, siteUrl, state, charge }: Of<'siteUrl' | 'plan' | 'state' | 'charge'>) => {
    const { name } = plans[plan];
    const { paid } = state;
    const next = chargeInWords(charge);
    const last = paid ? ` Your last payment was ${moneyInWords(paid)}.` : '';
    return {
      subject: `Your next ${product.name} ${name} payment is changing`,
      preview: `Next charge: ${next}.`,
      heading: `Your next payment for ${name} is changing`,
      paragraphs: [
        `The next charge is ${next}.${last} If that is all right with you, no action is needed.`,
        howToCancel(name, siteUrl),
      ],
      button: { label: `Cancel ${name}`, url: `${siteUrl}/cancel` },
      closing: `If you didn't expect this, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, plan, state, nextCharge }) => ({
    'a higher charge': {
      siteUrl,
      plan,
      state,
      charge: { ...nextCharge, preview: { ...nextCharge.preview, amount: 1200 } },
    },
  }),
});
