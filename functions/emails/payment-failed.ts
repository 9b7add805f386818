import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { moneyInWords, standingInSentences } from './plan-terms.ts';

export const paymentFailedEmail = defineEmail({
  name: 'payment-failed',
  occasion: "the renewal of your plan couldn't be charged",
  compose: ({ name, siteUrl, failed }: Of<'siteUrl' | 'name' | 'failed'>) => {
    const { money, payAt } = failed;
    const amount = money ? moneyInWords(money) : 'the invoice';
    return {
      subject: `Your payment for ${product.name} ${name} didn't go through`,
      preview: `Pay ${amount} to keep ${name}.`,
      heading: "Your payment didn't go through",
      paragraphs: [
        `${name} was due to renew. ${standingInSentences(failed)}`,
        `To keep it, pay ${amount}${payAt === null ? '' : ' with the button, or use another card'}. If the payment doesn't arrive, ${name} ends.`,
        `To use another card, sign in and press “Update Card” on your dashboard, ${siteUrl}/dashboard. To cancel instead, open ${siteUrl}/cancel; you won't be charged.`,
      ],
      button:
        payAt === null
          ? { label: 'Update my card', url: `${siteUrl}/dashboard` }
          : { label: `Pay ${amount}`, url: payAt },
      closing: 'If you have paid in the meantime, no action is needed.',
    };
  },
  examples: ({ failed, ends }) => ({
    'with another try': { failed: { ...failed, nextTry: ends } },
    'without another try': { failed: { ...failed, lostOn: ends } },
    'to confirm at the bank': { failed: { ...failed, nextTry: ends, cause: 'confirm' as const } },
    'without a card': { failed: { ...failed, cause: 'no-card' as const } },
    'without an invoice': { failed: { ...failed, payAt: null } },
  }),
});
