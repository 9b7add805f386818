import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';
import { moneyInWords } from './plan-terms.ts';

export const paymentRefundedEmail = defineEmail({
  name: 'payment-refunded',
  occasion: 'you had a plan twice, and the second payment was refunded',
  compose: ({ siteUrl, refunded }: Of<'siteUrl' | 'refunded'>) => {
    const { amount, currency, boughtAt } = refunded;
    const sum = amount === undefined ? 'what you paid for it' : moneyInWords({ amount, currency });
    return {
      subject: `A refund from ${product.name}`,
      preview: 'You had paid twice.',
      heading: 'You are getting a refund',
      paragraphs: [
        `On ${momentInWords(new Date(boughtAt * 1000))} you bought a plan although you already had one. We ended the second subscription and refunded ${sum}. No action needed.`,
        'The money goes back the way it came. Banks usually take five to ten days.',
        'The plan that you had before is not affected.',
      ],
      button: { label: 'See my invoices', url: `${siteUrl}/dashboard` },
      closing: `If the money does not arrive, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, money, seconds }) => ({
    'with the amount': { siteUrl, refunded: { boughtAt: seconds, ...money } },
    'without the amount': { siteUrl, refunded: { boughtAt: seconds, currency: money.currency } },
  }),
});
