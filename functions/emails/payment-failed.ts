import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';
import { dayOfUnix, moneyInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** Tells a payer that a renewal could not be charged, what happens next, and how to pay. */
export function paymentFailedEmail({
  siteUrl,
  failed,
}: {
  siteUrl: string;
  failed: NonNullable<BillingState['failed']>;
}): Notice {
  const { nextTryAt, triesEndAt, url } = failed;
  const amount = moneyInWords(failed);
  const next =
    nextTryAt !== undefined
      ? `We will try again on ${dayOfUnix(nextTryAt)}. You keep ${name} until then. If no attempt succeeds, ${name} ends.`
      : triesEndAt !== undefined
        ? `There will be no further attempt. ${name} ends on ${dayOfUnix(triesEndAt)} unless the payment arrives.`
        : `If the payment does not arrive, ${name} ends.`;
  return notice({
    name: 'payment-failed',
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
    closing: 'If you have paid in the meantime, there is nothing to do.',
  });
}
