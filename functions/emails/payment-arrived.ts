import { product } from '../../schemas/product/product.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { dayOfUnix, invoiceButton, moneyInWords, termsParagraphs } from './plan-terms.ts';

export const paymentArrivedEmail = defineEmail({
  name: 'payment-arrived',
  occasion: 'a payment that had failed has arrived',
  compose: ({ name, siteUrl, standing, paid, wasLost }: OfPlan<'paid' | 'wasLost'>) => {
    const receipt = `${moneyInWords(paid)} was paid on ${dayOfUnix(paid.at)}`;
    return {
      subject: `Your payment for ${product.name} ${name} has arrived`,
      preview: `${receipt}. No action needed.`,
      heading: 'Your payment has arrived',
      paragraphs: [
        `${receipt}, and ${wasLost ? `${name} is back` : `${name} continues`}. No action needed.`,
        ...termsParagraphs(name, standing, siteUrl),
      ],
      button: invoiceButton(paid.url, siteUrl),
      closing: `If something about this charge isn't right, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ standing, laterEnd }) => ({
    'the plan continues': {},
    'the plan is back, with an end': { standing: { ...standing, until: laterEnd }, wasLost: true },
  }),
});
