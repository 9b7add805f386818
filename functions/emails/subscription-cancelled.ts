import { type PaidPlan, plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import { defineEmail } from './define-email.ts';
import { dayInWords } from './moment.ts';

export const subscriptionCancelledEmail = defineEmail({
  name: 'subscription-cancelled',
  occasion: 'your plan was canceled',
  compose: ({
    plan,
    siteUrl,
    lastsUntil,
    complimentary = false,
  }: {
    plan: PaidPlan;
    siteUrl: string;
    /** Undefined if the plan ended at once: a payment was due. */
    lastsUntil: Date | undefined;
    /** Whether the plan cost nothing. @default false */
    complimentary?: boolean;
  }) => {
    const { name } = plans[plan];
    const kind = complimentary ? 'plan' : 'subscription';
    const until = lastsUntil && dayInWords(lastsUntil);
    const wayBack = !until
      ? `To have it again, choose ${name} under Pricing.`
      : complimentary
        ? `To have it for longer, write to ${product.supportEmail}.`
        : `To keep it, press “Renew Plan” under Pricing before that day: nothing is charged until then.`;
    return {
      subject: `Your ${name} ${kind} is canceled`,
      preview: until ? `It lasts until ${until}.` : 'It has ended. Nothing is charged.',
      heading: `Your ${name} ${kind} is canceled`,
      paragraphs: [
        `${name} was canceled on your ${product.name} account, and ${until ? `lasts until ${until}` : 'has ended'}. If that was you, no action is needed.`,
        ...(until
          ? [`After that day the account is on the ${plans.free.name} plan, and you won't be charged again.`]
          : [
              `A payment was due, and it will not be collected. The account is on the ${plans.free.name} plan.`,
            ]),
        wayBack,
      ],
      button: { label: 'Open Pricing', url: `${siteUrl}/pricing` },
      closing: `If it was not you, choose a new password at ${siteUrl}/forgot-password, which ends every session, and write to ${product.supportEmail}.`,
    };
  },
  examples: ({ siteUrl, later, plan }) => ({
    paid: { siteUrl, plan, lastsUntil: later },
    complimentary: { siteUrl, plan, lastsUntil: later, complimentary: true },
    'while a payment was due': { siteUrl, plan, lastsUntil: undefined },
  }),
});
