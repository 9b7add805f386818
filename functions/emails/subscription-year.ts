import { type PaidPlan, plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { defineEmail } from './define-email.ts';
import { howToCancel, termsInWords } from './plan-terms.ts';

export const subscriptionYearEmail = defineEmail({
  name: 'subscription-year',
  occasion: 'you have paid for a plan for another year',
  compose: ({
    plan,
    siteUrl,
    state,
    years,
  }: {
    plan: PaidPlan;
    siteUrl: string;
    state: BillingState;
    years: number;
  }) => {
    const { name } = plans[plan];
    const time = years === 1 ? 'a year' : `${years} years`;
    return {
      subject: `You have had ${product.name} ${name} for ${time}`,
      preview: termsInWords(name, state),
      heading: `${time.charAt(0).toUpperCase()}${time.slice(1)} of ${name}`,
      paragraphs: [
        `If you still use ${name}, no action is needed. If you don't, cancel it: we write once a year so that nobody pays for something forgotten.`,
        termsInWords(name, state),
        howToCancel(name, siteUrl),
      ],
      button: { label: `Cancel ${name}`, url: `${siteUrl}/cancel` },
      closing: 'We send this email once a year.',
    };
  },
  examples: ({ siteUrl, plan, state }) => ({
    'the first': { siteUrl, plan, state, years: 1 },
    'a later one': { siteUrl, plan, state, years: 2 },
  }),
});
