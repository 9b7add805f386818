import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { howToCancel, termsInWords } from './plan-terms.ts';

export const subscriptionKeptEmail = defineEmail({
  name: 'subscription-kept',
  occasion: 'your plan continues: its end was taken back, or a payment that had failed was waived',
  compose: ({ siteUrl, plan, state, isForgiven }: Of<'siteUrl' | 'plan' | 'state' | 'isForgiven'>) => {
    const { name } = plans[plan];
    const { complimentary } = state;
    return {
      subject: `Your ${name} ${complimentary ? 'plan' : 'subscription'} continues`,
      preview: complimentary ? 'It costs nothing.' : termsInWords(name, state),
      heading: `${name} continues`,
      paragraphs: [
        isForgiven
          ? `You don't have to pay what was due, and ${name} continues. No action needed.`
          : `${name} won't end after all. No action needed.`,
        ...(complimentary
          ? ['It costs you nothing.']
          : [termsInWords(name, state), howToCancel(name, siteUrl)]),
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: `If it was not you, choose a new password on your dashboard, which ends every other session, and write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, plan, state }) => ({
    paid: { siteUrl, plan, state, isForgiven: false },
    'a payment was waived': { siteUrl, plan, state, isForgiven: true },
    complimentary: { siteUrl, plan, state: { ...state, complimentary: true as const }, isForgiven: false },
  }),
});
