import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail, type Of } from './define-email.ts';
import { dayInWords } from './moment.ts';
import { chargeInWords } from './plan-terms.ts';

export const subscriptionCancelledEmail = defineEmail({
  name: 'subscription-cancelled',
  occasion: 'your plan was canceled',
  compose: ({ plan, siteUrl, lastsUntil, state }: Of<'siteUrl' | 'plan' | 'state' | 'lastsUntil'>) => {
    const { name } = plans[plan];
    const { complimentary, nextCharge } = state;
    const kind = complimentary ? 'plan' : 'subscription';
    const until = lastsUntil && dayInWords(lastsUntil);
    const wayBack = !until
      ? `To have it again, choose ${name} under Pricing.`
      : complimentary
        ? `To have it for longer, write to ${product.supportEmail}.`
        : `To keep it, press “Renew Plan” under Pricing before that day${nextCharge ? '' : ': nothing is charged until then'}.`;
    return {
      subject: `Your ${name} ${kind} is canceled`,
      preview: until ? `It lasts until ${until}.` : 'It has ended. Nothing is charged.',
      heading: `Your ${name} ${kind} is canceled`,
      paragraphs: [
        `${name} was canceled on your ${product.name} account, and ${until ? `lasts until ${until}` : 'has ended'}. If that was you, no action is needed.`,
        ...(until
          ? [
              // Support has set an end after further renewals.
              ...(nextCharge
                ? [`Until then it renews. The next charge is ${chargeInWords(nextCharge)}.`]
                : []),
              `After that day the account is on the ${plans.free.name} plan, and you won't be charged again.`,
            ]
          : [
              `A payment was due, and it will not be collected. The account is on the ${plans.free.name} plan.`,
            ]),
        wayBack,
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: `If it was not you, choose a new password at ${siteUrl}/forgot-password, which ends every session, and write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, later, laterEnd, plan, state }) => ({
    paid: { siteUrl, plan, lastsUntil: later, state: { plan } },
    'by support, after further renewals': { siteUrl, plan, lastsUntil: new Date(laterEnd), state },
    complimentary: { siteUrl, plan, lastsUntil: later, state: { plan, complimentary: true as const } },
    'while a payment was due': { siteUrl, plan, lastsUntil: undefined, state: { plan } },
  }),
});
