import { type PaidPlan, plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail } from './define-email.ts';
import { dayOf } from './plan-terms.ts';

export const subscriptionEndingEmail = defineEmail({
  name: 'subscription-ending',
  occasion: 'your plan ends in three days',
  compose: ({
    plan,
    siteUrl,
    ends,
    complimentary,
  }: {
    plan: PaidPlan;
    siteUrl: string;
    /** ISO 8601. */
    ends: string;
    complimentary: boolean;
  }) => {
    const { name } = plans[plan];
    const day = dayOf(ends);
    const toKeep = complimentary
      ? `To keep it after ${day}, choose ${name} under Pricing once it has ended`
      : `To keep ${name}, press “Renew Plan” under Pricing before ${day}`;
    return {
      subject: `Your ${product.name} ${name} ends on ${day}`,
      preview: 'If you want it to end, there is nothing to do.',
      heading: `${name} ends on ${day}`,
      paragraphs: [
        `${toKeep}. If you want it to end, there is nothing to do.`,
        `After that day the account is on the ${plans.free.name} plan, and nothing is charged. Your commands and contexts stay.`,
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: 'This is the only reminder.',
    };
  },
  examples: ({ siteUrl, ends, plan }) => ({
    paid: { siteUrl, plan, ends, complimentary: false },
    complimentary: { siteUrl, plan, ends, complimentary: true },
  }),
});
