import { type PaidPlan, plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { defineEmail } from './define-email.ts';
import { howToCancel, termsInWords } from './plan-terms.ts';

export const subscriptionKeptEmail = defineEmail({
  name: 'subscription-kept',
  occasion: 'the end of your plan was taken back',
  compose: ({ siteUrl, plan, state }: { plan: PaidPlan; siteUrl: string; state: BillingState }) => {
    const { name } = plans[plan];
    const { complimentary } = state;
    return {
      subject: `Your ${name} ${complimentary ? 'plan' : 'subscription'} continues`,
      preview: complimentary ? 'It costs nothing.' : termsInWords(name, state),
      heading: `${name} continues`,
      paragraphs: [
        `${name} won't end after all. No action needed.`,
        ...(complimentary
          ? ['It costs you nothing.']
          : [termsInWords(name, state), howToCancel(name, siteUrl)]),
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: `If it was not you, choose a new password on your dashboard, which ends every other session, and write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, plan, state }) => ({
    paid: { siteUrl, plan, state },
    complimentary: { siteUrl, plan, state: { ...state, complimentary: true as const } },
  }),
});
