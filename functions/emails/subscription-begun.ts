import { product } from '../../schemas/product/product.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { dayInWords } from './moment.ts';
import { dayOfUnix, invoiceButton, moneyInWords, termsInWords, termsParagraphs } from './plan-terms.ts';

export const subscriptionBegunEmail = defineEmail({
  name: 'subscription-begun',
  occasion: 'you have bought a plan',
  compose: ({ siteUrl, name, standing, paid, withdrawUntil }: OfPlan<'paid' | 'withdrawUntil'>) => {
    const receipt = `You paid ${moneyInWords(paid)} (${paid.currency.toUpperCase()}) on ${dayOfUnix(paid.at)}.`;
    return {
      subject: `Welcome to ${product.name} ${name}`,
      preview: termsInWords(name, standing) || receipt,
      heading: `Welcome to ${name}`,
      paragraphs: [
        `You're all set: ${name} works wherever you are signed in to ${product.name}. ${receipt}`,
        ...termsParagraphs(name, standing, siteUrl),
        ...(withdrawUntil
          ? [
              `You may withdraw from this contract until ${dayInWords(withdrawUntil)}, without giving a reason. Open ${siteUrl}/end-contract, or write to ${product.supportEmail}. ${name} then ends, and we refund everything you paid for it.`,
            ]
          : []),
        `Here are the terms you accepted: ${siteUrl}/terms`,
      ],
      button: invoiceButton(paid.url, siteUrl),
      closing: `If you didn't buy ${name}, write to ${product.supportEmail}.`,
    };
  },
  examples: ({ later }) => ({ 'with a receipt': {}, 'with a right of withdrawal': { withdrawUntil: later } }),
});
