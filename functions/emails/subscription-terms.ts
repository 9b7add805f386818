import { product } from '../../schemas/product/product.ts';
import type { Payment } from '../../schemas/rows/notified.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { chargesInWords, howToCancel, moneyInWords } from './plan-terms.ts';

export const subscriptionTermsEmail = defineEmail({
  name: 'subscription-terms',
  occasion: 'the next charge for your plan is higher than the last one, or moves',
  compose: ({ name, siteUrl, standing, paid }: OfPlan<never, { paid: Payment | undefined }>) => {
    const next = chargesInWords(standing);
    const last = paid ? ` Your last payment was ${moneyInWords(paid)}.` : '';
    return {
      subject: `Your next ${product.name} ${name} payment is changing`,
      preview: next,
      heading: `Your next payment for ${name} is changing`,
      paragraphs: [
        `${next}${last} If that is all right with you, no action is needed.`,
        howToCancel(name, siteUrl),
      ],
      button: { label: `Cancel ${name}`, url: `${siteUrl}/cancel` },
      closing: `If you didn't expect this, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ standing, charge }) => ({
    'a higher charge': {
      standing: { ...standing, charges: [{ ...charge, money: { ...charge.money, amount: 1200 } }] },
    },
  }),
});
