import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { FailureCause } from '../../schemas/rows/billing-state.ts';
import { defineEmail, type Of } from './define-email.ts';
import { dayOfUnix, moneyInWords } from './plan-terms.ts';

const causes: Record<FailureCause, string> = {
  declined: 'your bank declined the payment',
  confirm: 'your bank wants you to confirm the payment',
  'no-card': 'we have no card to charge',
};

export const paymentFailedEmail = defineEmail({
  name: 'payment-failed',
  occasion: "the renewal of your plan couldn't be charged",
  compose: ({ plan, siteUrl, failed }: Of<'siteUrl' | 'plan' | 'failed'>) => {
    const { name } = plans[plan];
    const { cause = 'declined', nextTryAt, triesEndAt, url } = failed;
    const amount = moneyInWords(failed);
    const next =
      nextTryAt !== undefined
        ? `We will try again on ${dayOfUnix(nextTryAt)}. You keep ${name} until then. If no attempt succeeds, ${name} ends.`
        : triesEndAt !== undefined
          ? `There will be no further attempt. ${name} ends on ${dayOfUnix(triesEndAt)} unless the payment arrives.`
          : `If the payment does not arrive, ${name} ends.`;
    return {
      subject: `Your payment for ${product.name} ${name} did not go through`,
      preview: `Pay ${amount} to keep ${name}.`,
      heading: 'Your payment did not go through',
      paragraphs: [
        `${name} was due to renew, and ${causes[cause]}. To keep it, pay ${amount}${url === undefined ? '' : ' with the button, or give us another card'}.`,
        next,
        `For another card, sign in and press “Update Card” on your dashboard, ${siteUrl}/dashboard. To end ${name} instead, open ${siteUrl}/cancel: then nothing is charged.`,
      ],
      button:
        url === undefined
          ? { label: 'Update my card', url: `${siteUrl}/dashboard` }
          : { label: `Pay ${amount}`, url },
      closing: 'If you have paid in the meantime, no action is needed.',
    };
  },
  examples: ({ siteUrl, failed, plan, seconds }) => ({
    'with another try': { siteUrl, plan, failed: { ...failed, nextTryAt: seconds } },
    'without another try': { siteUrl, plan, failed: { ...failed, triesEndAt: seconds } },
    'to confirm at the bank': { siteUrl, plan, failed: { ...failed, cause: 'confirm' as const } },
    'without a card': { siteUrl, plan, failed: { ...failed, cause: 'no-card' as const } },
    'without an invoice': { siteUrl, plan, failed: { ...failed, url: undefined } },
  }),
});
