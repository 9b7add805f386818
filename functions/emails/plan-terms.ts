import { formatAmount } from '../../schemas/product/format-amount.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { COLLECTED_AFTER } from '../domain/subscription.ts';
import { dayInWords } from './moment.ts';

/** An amount in the smallest unit of its currency: `$5.00`, `€5.00`. */
export const moneyInWords = ({ amount, currency }: { amount: number; currency: string }): string =>
  formatAmount(amount, currency);

/** The day of a moment in Unix seconds. */
export const dayOfUnix = (seconds: number): string => dayInWords(new Date(seconds * 1000));

/** The day of an ISO 8601 moment. */
export const dayOf = (moment: string): string => dayInWords(new Date(moment));

/** The next charge, as Stripe expects it: `$5.00 on January 15, 2027`, or its day alone. */
export const chargeInWords = (charge: NonNullable<BillingState['nextCharge']>, onlyDay = false): string => {
  const { at, currency, preview } = charge;
  const sum = preview && !onlyDay ? `${moneyInWords({ amount: preview.amount, currency })} ` : '';
  return `${sum}on ${dayOfUnix(preview?.at ?? at + COLLECTED_AFTER)}`;
};

/** Price, interval and next charge of a plan with this name, in a sentence. */
export function termsInWords(name: string, { nextCharge, ends }: BillingState): string {
  if (!nextCharge) {
    return ends === undefined
      ? `Nothing is charged for ${name} at the moment.`
      : `${name} lasts until ${dayOf(ends)} and does not renew.`;
  }
  const { currency, interval, listed } = nextCharge;
  const each = interval === undefined ? '' : ` per ${interval}`;
  const costs =
    listed === undefined ? name : `${name} costs ${moneyInWords({ amount: listed, currency })}${each}`;
  const and = listed === undefined ? '' : ', and';
  const isListed = nextCharge.preview?.amount === listed;
  const next = `The next charge is ${chargeInWords(nextCharge, isListed)}.`;
  // An end that Stripe's portal or support has set can be after the next renewal.
  return ends === undefined
    ? `${costs}${and} renews by itself until you cancel. ${next}`
    : `${listed === undefined ? '' : `${costs}. `}${next} ${name} lasts until ${dayOf(ends)} and does not renew after that.`;
}

/** How to cancel. Every mail about a charge says so. */
export const howToCancel = (name: string, siteUrl: string): string =>
  `To cancel, open ${siteUrl}/cancel and press “Yes, Cancel My Subscription”. You then keep ${name} until the end of the time that you have paid for.`;

/** A button to the invoice, or else to the dashboard, which lists all. */
export const invoiceButton = (url: string | undefined, siteUrl: string) =>
  url === undefined
    ? { label: 'See my invoices', url: `${siteUrl}/dashboard` }
    : { label: 'See the invoice', url };
