import { product } from '../../schemas/product/product.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { dayOfUnix, invoiceButton, moneyInWords, termsParagraphs } from './plan-terms.ts';

export const subscriptionRenewedEmail = defineEmail({
  name: 'subscription-renewed',
  occasion: 'your plan was renewed and paid',
  compose: ({ name, siteUrl, standing, paid }: OfPlan<'paid'>) => {
    const receipt = `${moneyInWords(paid)} was paid on ${dayOfUnix(paid.at)}`;
    return {
      subject: `Receipt for ${product.name} ${name}: ${moneyInWords(paid)}`,
      preview: `${receipt}. No action needed.`,
      heading: `${name} was renewed`,
      paragraphs: [
        `${receipt}, and ${name} continues. No action needed.`,
        ...termsParagraphs(name, standing, siteUrl),
      ],
      button: invoiceButton(paid.url, siteUrl),
      closing: `If something about this charge isn't right, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ ending }) => ({ 'it renews again': {}, 'it ends': { standing: ending } }),
});
