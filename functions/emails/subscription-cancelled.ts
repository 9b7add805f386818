import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail, type OfPlan } from './define-email.ts';
import { dayInWords } from './moment.ts';
import { chargesIn, isComplimentaryIn } from '../domain/standing.ts';
import { chargesInWords } from './plan-terms.ts';

export const subscriptionCancelledEmail = defineEmail({
  name: 'subscription-cancelled',
  occasion: 'your plan was canceled',
  compose: ({ name, siteUrl, lastsUntil, standing }: OfPlan<'lastsUntil'>) => {
    const complimentary = isComplimentaryIn(standing);
    const charges = chargesIn(standing);
    // Support has set an end after further renewals.
    const renews = standing.kind === 'renews';
    const kind = complimentary ? 'plan' : 'subscription';
    const until = lastsUntil && dayInWords(lastsUntil);
    const howToRenew = !until
      ? `To have it again, choose ${name} under Pricing.`
      : complimentary
        ? `To have it for longer, write to ${product.supportEmail}.`
        : `Changed your mind? Press “Renew Plan” under Pricing before that day.${charges.length > 0 ? '' : " You won't be charged before then."}`;
    return {
      subject: `Your ${name} ${kind} is canceled`,
      preview: until ? `It lasts until ${until}.` : 'It has ended. Nothing is charged.',
      heading: `Your ${name} ${kind} is canceled`,
      paragraphs: [
        `We've canceled ${name}${until ? `. You keep it until ${until}` : ', and it has ended'}. If that was you, no action is needed.`,
        ...(until
          ? [
              ...(charges.length > 0
                ? [`${renews ? 'Until then it renews. ' : ''}${chargesInWords(standing)}`]
                : []),
              `After that day the account is on the ${plans.free.name} plan${charges.length > 0 && !renews ? '' : ", and you won't be charged again"}.`,
            ]
          : [
              `A payment was due. It is not collected, or refunded if it was on its way. The account is on the ${plans.free.name} plan.`,
            ]),
        howToRenew,
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: `If it wasn't you, choose a new password at ${siteUrl}/forgot-password, which signs you out everywhere, and write to ${product.supportEmail}.`,
    };
  },
  examples: ({ laterEnd, ending, standing, complimentary, free }) => ({
    paid: { standing: ending },
    'by support, after further renewals': { lastsUntil: new Date(laterEnd), standing },
    complimentary: { standing: complimentary },
    'while a payment was due': { lastsUntil: undefined, standing: free },
  }),
});
