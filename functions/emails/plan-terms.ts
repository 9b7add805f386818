import type { BillingState } from '../../schemas/rows/billing-state.ts';
import { dayInWords } from './moment.ts';

/** An amount in the smallest unit of its currency: `$5.00`, `€5.00`. */
export function moneyInWords({ amount, currency }: { amount: number; currency: string }): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** The day of a moment in Unix seconds. */
export const dayOfUnix = (seconds: number): string => dayInWords(new Date(seconds * 1000));

/** The day of an ISO 8601 moment. */
export const dayOf = (moment: string): string => dayInWords(new Date(moment));

/** `$5.00 per month`. Undefined for a price without a fixed amount. */
export function priceInWords(
  charge: Pick<NonNullable<BillingState['nextCharge']>, 'amount' | 'currency' | 'interval'>,
): string | undefined {
  const { amount, currency, interval } = charge;
  if (amount === undefined) return undefined;
  return `${moneyInWords({ amount, currency })}${interval === undefined ? '' : ` per ${interval}`}`;
}

/** Price, interval and next charge of a plan with this name, in a sentence. */
export function termsInWords(name: string, { nextCharge, ends }: BillingState): string {
  if (nextCharge) {
    const price = priceInWords(nextCharge);
    const next = `next charge is on ${dayOfUnix(nextCharge.at)}`;
    // An end that Stripe's portal or support has set can be after the next renewal.
    if (ends !== undefined) {
      const costs = price === undefined ? '' : `${name} costs ${price}. `;
      return `${costs}The ${next}. ${name} lasts until ${dayOf(ends)} and does not renew after that.`;
    }
    const costs = price === undefined ? name : `${name} costs ${price}, and`;
    return `${costs} renews by itself until you cancel. The ${next}.`;
  }
  return ends === undefined
    ? `${name} renews by itself until you cancel.`
    : `${name} lasts until ${dayOf(ends)} and does not renew.`;
}

/** How to cancel. Every mail about a charge says so. */
export const howToCancel = (name: string, siteUrl: string): string =>
  `To cancel, open ${siteUrl}/cancel and press “Yes, Cancel My Subscription”. You then keep ${name} until the end of the time that you have paid for.`;

/** A button to the invoice, or else to the dashboard, which lists all. */
export const invoiceButton = (url: string | undefined, siteUrl: string) =>
  url === undefined
    ? { label: 'See my invoices', url: `${siteUrl}/dashboard` }
    : { label: 'See the invoice', url };
