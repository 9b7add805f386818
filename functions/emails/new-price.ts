import { plans } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { noticeEnd, renewalFrom } from '../domain/new-price.ts';
import { notice, type Notice } from './layout.ts';
import { dayOfUnix, howToCancel, priceInWords } from './plus-terms.ts';

const { name } = plans.plus;

/** Tells a payer of a new price, before the first renewal that may be charged at it. */
export function newPriceEmail({
  siteUrl,
  user,
  before,
  price,
}: {
  siteUrl: string;
  user: string;
  before: NonNullable<BillingState['nextCharge']>;
  price: NonNullable<BillingState['newPrice']>;
}): Notice {
  const day = dayOfUnix(renewalFrom(price, noticeEnd(price.toldAt ?? price.announcedAt)));
  const [now, then] = [priceInWords(before), priceInWords(price)];
  return notice({
    name: 'new-price',
    user,
    subject: `The price of your ${product.name} ${name} changes on ${day}`,
    preview: `${then} from ${day}, in place of ${now}.`,
    heading: `${name} will cost ${then}`,
    paragraphs: [
      `If you want to keep ${name} at the new price, there is nothing to do. If you don't, cancel before ${day}.`,
      `You pay ${now} today, and go on paying that until then. Your renewal on ${day} is the first that costs ${then}.`,
      howToCancel(siteUrl),
    ],
    button: { label: `Cancel ${name}`, url: `${siteUrl}/cancel` },
    closing: `We write because you pay for ${name}. The terms have the rules about prices: ${siteUrl}/terms#price-changes`,
  });
}
