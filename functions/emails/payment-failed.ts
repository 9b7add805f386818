import { type PaidPlan, plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { defineEmail } from './define-email.ts';
import { dayOfUnix, moneyInWords } from './plan-terms.ts';

export const paymentFailedEmail = defineEmail({
  name: 'payment-failed',
  occasion: "the renewal of your plan couldn't be charged",
  compose: ({
    plan,
    siteUrl,
    failed,
  }: {
    plan: PaidPlan;
    siteUrl: string;
    failed: NonNullable<BillingState['failed']>;
  }) => {
    const { name } = plans[plan];
    const { nextTryAt, triesEndAt, url } = failed;
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
        `To keep ${name}, pay ${amount} with the button${url === undefined ? '' : ', or give us another card'}: your ${name} was due to renew, and your bank declined the payment.`,
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
    'without an invoice': { siteUrl, plan, failed: { ...failed, url: undefined } },
  }),
});
