import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';

const reasons = {
  scheduled: 'It ended on its scheduled day.',
  unpaid: 'The payment for its renewal did not arrive, and we are no longer trying to collect it.',
  canceled: 'It was paused, and was then canceled.',
  other: 'Our support or a bank ended it.',
};

/** `canceled`: a plan that support had paused. */
type Reason = keyof typeof reasons | 'paused';

export const subscriptionEndedEmail = defineEmail({
  name: 'subscription-ended',
  occasion: 'your plan has ended',
  compose: ({ siteUrl, name, because }: Of<'siteUrl' | 'name', { because: Reason }>) => {
    if (because === 'paused') {
      return {
        subject: `Your ${name} subscription is paused`,
        preview: 'Nothing is charged until it resumes.',
        heading: `${name} is paused`,
        paragraphs: [
          `Our support has paused it. Nothing is charged until it resumes, and until then the account is on the ${plans.free.name} plan.`,
          `To end it instead, open ${siteUrl}/cancel. Your commands and contexts are still there.`,
        ],
        closing: `If you think this is a mistake, write to ${product.supportEmail}.`,
      };
    }
    return {
      subject: `Your ${name} subscription has ended`,
      preview: "You won't be charged again.",
      heading: `${name} has ended`,
      paragraphs: [
        `The account is on the ${plans.free.name} plan, and you won't be charged again. If you want ${name} back, choose it under Pricing. Otherwise no action is needed.`,
        `${reasons[because]} Your commands and contexts are still there.`,
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: `If you think this is a mistake, write to ${product.supportEmail}.`,
    };
  },
  examples: () => ({
    scheduled: { because: 'scheduled' as const },
    unpaid: { because: 'unpaid' as const },
    paused: { because: 'paused' as const },
    canceled: { because: 'canceled' as const },
    other: { because: 'other' as const },
  }),
});
