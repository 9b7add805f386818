import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { dayOf } from './plan-terms.ts';

export const complimentaryPlanEmail = defineEmail({
  name: 'complimentary-plan',
  occasion: 'our support has given you a plan without a payment',
  compose: ({ name, siteUrl, ends }: Of<'siteUrl' | 'name', { ends: string | undefined }>) => {
    const until = ends === undefined ? '' : ` until ${dayOf(ends)}`;
    return {
      subject: `You have ${product.name} ${name}${until}`,
      preview: 'It costs you nothing.',
      heading: `${name} is yours${until}`,
      paragraphs: [
        `You're all set: ${name} works wherever you are signed in to ${product.name}, and costs you nothing.`,
        ends === undefined
          ? `It doesn't expire. If you don't want it, cancel it at ${siteUrl}/cancel.`
          : `It ends on ${dayOf(ends)}, and nothing is charged then.`,
      ],
      button: { label: 'Open my dashboard', url: `${siteUrl}/dashboard` },
      closing: `If you didn't expect this, write to ${product.supportEmail}.`,
    };
  },
  examples: () => ({ 'without an end': { ends: undefined }, 'with an end': {} }),
});
