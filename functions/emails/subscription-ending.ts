import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { notice, type Notice } from './layout.ts';
import { dayOf } from './plus-terms.ts';

const { name } = plans.plus;

/** Reminds a user, some days before, that Plus ends. */
export function subscriptionEndingEmail({
  siteUrl,
  ends,
  complimentary,
}: {
  siteUrl: string;
  /** ISO 8601. */
  ends: string;
  complimentary: boolean;
}): Notice {
  const day = dayOf(ends);
  const toKeep = complimentary
    ? `To keep it after ${day}, choose ${name} under Pricing once it has ended`
    : `To keep ${name}, press “Renew Plan” under Pricing before ${day}`;
  return notice({
    name: 'subscription-ending',
    subject: `Your ${product.name} ${name} ends on ${day}`,
    preview: 'If you want it to end, there is nothing to do.',
    heading: `${name} ends on ${day}`,
    paragraphs: [
      `${toKeep}. If you want it to end, there is nothing to do.`,
      `After that day the account is on the ${plans.free.name} plan, and nothing is charged. Your commands and contexts stay.`,
    ],
    button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
    closing: 'This is the only reminder.',
  });
}
