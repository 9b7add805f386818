import { type PaidPlan, plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { noticeEnd, renewalFrom } from '../domain/new-price.ts';
import { defineEmail } from './define-email.ts';
import { dayOfUnix, howToCancel, priceInWords } from './plan-terms.ts';

export const newPriceEmail = defineEmail({
  name: 'new-price',
  occasion: 'the price of your plan is going to change, at least 30 days before you pay it',
  compose: ({
    plan,
    siteUrl,
    user,
    before,
    price,
  }: {
    plan: PaidPlan;
    siteUrl: string;
    user: string;
    before: NonNullable<BillingState['nextCharge']>;
    price: NonNullable<BillingState['newPrice']>;
  }) => {
    const { name } = plans[plan];
    const day = dayOfUnix(renewalFrom(price, noticeEnd(price.toldAt ?? price.announcedAt)));
    const [now, then] = [priceInWords(before), priceInWords(price)];
    return {
      user,
      subject: `The price of your ${product.name} ${name} changes on ${day}`,
      preview: `${then} from ${day}, in place of ${now}.`,
      heading: `${name} will cost ${then}`,
      paragraphs: [
        `If you want to keep ${name} at the new price, there is nothing to do. If you don't, cancel before ${day}.`,
        `You pay ${now} today, and go on paying that until then. Your renewal on ${day} is the first that costs ${then}.`,
        howToCancel(name, siteUrl),
      ],
      button: { label: `Cancel ${name}`, url: `${siteUrl}/cancel` },
      closing: `We write because you pay for ${name}. The terms have the rules about prices: ${siteUrl}/terms#price-changes`,
    };
  },
  examples: ({ siteUrl, newPrice, nextCharge, plan, user }) => ({
    'to a payer': { siteUrl, user, plan, before: nextCharge, price: newPrice },
  }),
});
