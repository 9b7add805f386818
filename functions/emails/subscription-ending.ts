import { plans } from '../../schemas/product/offers.ts';
import { isComplimentaryIn } from '../domain/standing.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { dayOf } from './plan-terms.ts';

export const subscriptionEndingEmail = defineEmail({
  name: 'subscription-ending',
  occasion: 'your plan ends in three days',
  compose: ({ name, siteUrl, standing, ends }: OfPlan<'ends'>) => {
    const day = dayOf(ends);
    const complimentary = isComplimentaryIn(standing);
    const toKeep = complimentary
      ? `After ${day} you can choose ${name} again under Pricing`
      : `To keep ${name}, press “Renew Plan” under Pricing before ${day}`;
    return {
      subject: `Your ${name} ${complimentary ? 'plan' : 'subscription'} ends on ${day}`,
      preview: 'To let it end, no action is needed.',
      heading: `${name} ends on ${day}`,
      paragraphs: [
        `${toKeep}. To let it end, no action is needed.`,
        `After that day the account is on the ${plans.free.name} plan, and nothing is charged. Your commands and contexts stay.`,
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: 'This is the only reminder.',
    };
  },
  examples: ({ complimentary }) => ({ paid: {}, complimentary: { standing: complimentary } }),
});
