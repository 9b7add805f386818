import { product, soldTo } from '../../schemas/product/product.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { termsInWords, termsParagraphs } from './plan-terms.ts';

const often = soldTo.has('uk') ? 'every six months' : 'once a year';

export const subscriptionYearEmail = defineEmail({
  name: 'subscription-year',
  occasion: 'you have paid for a plan for another year',
  compose: ({ name, siteUrl, standing, years }: OfPlan<'years'>) => {
    const time = years === 1 ? 'a year' : years % 1 === 0 ? `${years} years` : `${years * 12} months`;
    return {
      subject: `You have had ${product.name} ${name} for ${time}`,
      preview: termsInWords(name, standing),
      heading: `${time.charAt(0).toUpperCase()}${time.slice(1)} of ${name}`,
      paragraphs: [
        `If you still use ${name}, no action is needed. If you don't, cancel it: we write ${often} so that nobody pays for something forgotten.`,
        ...termsParagraphs(name, standing, siteUrl),
      ],
      button: { label: `Cancel ${name}`, url: `${siteUrl}/cancel` },
      closing: `We send this email ${often}.`,
    };
  },
  examples: () => ({ 'the first': {}, 'a later one': { years: 2 } }),
});
