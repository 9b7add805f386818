import { product } from '../../schemas/product/product.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { termsInWords, termsParagraphs } from './plan-terms.ts';

export const subscriptionKeptEmail = defineEmail({
  name: 'subscription-kept',
  occasion: 'your plan continues: its end was taken back, or a payment that had failed was waived',
  compose: ({ siteUrl, name, standing, isForgiven }: OfPlan<'isForgiven'>) => {
    const complimentary = standing.kind === 'complimentary';
    return {
      subject: `Your ${name} ${complimentary ? 'plan' : 'subscription'} continues`,
      preview: complimentary ? 'It costs nothing.' : termsInWords(name, standing),
      heading: `${name} continues`,
      paragraphs: [
        isForgiven
          ? `You don't have to pay what was due, and ${name} continues. No action needed.`
          : `${name} won't end after all. No action needed.`,
        ...(complimentary ? ['It costs you nothing.'] : termsParagraphs(name, standing, siteUrl)),
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: `If it wasn't you, choose a new password in your settings, which signs you out everywhere else, and write to ${product.supportEmail}.`,
    };
  },
  examples: ({ plan }) => ({
    paid: {},
    'a payment was waived': { isForgiven: true },
    complimentary: { standing: { kind: 'complimentary' as const, plan } },
  }),
});
