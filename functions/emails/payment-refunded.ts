import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { momentInWords } from './moment.ts';
import { dayOfUnix, moneyInWords } from './plan-terms.ts';

export const paymentRefundedEmail = defineEmail({
  name: 'payment-refunded',
  occasion: 'a payment was refunded: for a second plan, or for a plan that had ended',
  compose: ({ siteUrl, refunded }: Of<'siteUrl' | 'refunded'>) => {
    const { amount, currency, at, because } = refunded;
    const isDuplicate = because === 'duplicate';
    const sum = amount === undefined ? 'what you paid for it' : moneyInWords({ amount, currency });
    return {
      subject: `A refund from ${product.name}`,
      preview: isDuplicate ? 'You had paid twice.' : 'You had paid for a plan that had ended.',
      heading: 'You are getting a refund',
      paragraphs: [
        isDuplicate
          ? `On ${momentInWords(new Date(at * 1000))} you bought a plan although you already had one. We ended the second subscription and refunded ${sum}. No action needed.`
          : `Your plan ended on ${dayOfUnix(at)}, and a payment for it arrived after that. We refunded ${sum}. No action needed.`,
        'The money goes back the way it came. Banks usually take five to ten days.',
        ...(isDuplicate ? ['The plan that you had before is not affected.'] : []),
      ],
      button: { label: 'See my invoices', url: `${siteUrl}/dashboard` },
      closing: `If the money doesn't arrive, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ refunded }) => ({
    'with the amount': {},
    'without the amount': { refunded: { ...refunded, amount: undefined } },
    'paid late': { refunded: { ...refunded, because: 'late' as const } },
  }),
});
