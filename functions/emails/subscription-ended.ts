import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { notice, type Notice } from './layout.ts';

const { name } = plans.plus;

type Reason = Exclude<NonNullable<BillingState['ended']>, 'declined' | 'withdrawn'>;

const reasons: Record<Reason, string> = {
  scheduled: 'It ended on its scheduled day.',
  unpaid: 'The payment for its renewal did not arrive, and we are no longer trying to collect it.',
  other: 'Our support or a bank ended it.',
};

/** Tells a user that Plus has ended, and why. */
export function subscriptionEndedEmail({ siteUrl, because }: { siteUrl: string; because: Reason }): Notice {
  return notice({
    name: 'subscription-ended',
    subject: `Your ${product.name} ${name} has ended`,
    preview: 'Nothing more is charged.',
    heading: `${name} has ended`,
    paragraphs: [
      `If you want ${name} again, choose it under Pricing. Otherwise there is nothing to do: the account is on the ${plans.free.name} plan, and nothing more is charged.`,
      `${reasons[because]} Your commands and contexts are still there.`,
    ],
    button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
    closing: `If you think this is a mistake, write to ${product.supportEmail}.`,
  });
}
