import { formatAmount } from '../../schemas/product/format-amount.ts';
import type { Charge, Standing } from '../../schemas/shapes/standing.ts';
import { chargesIn, endIn } from '../domain/standing.ts';
import { dayInWords } from './moment.ts';

/** An amount in the smallest unit of its currency: `$5.00`, `€5.00`. */
export const moneyInWords = ({ amount, currency }: { amount: number; currency: string }): string =>
  formatAmount(amount, currency);

/** The day of a moment in Unix seconds. */
export const dayOfUnix = (seconds: number): string => dayInWords(new Date(seconds * 1000));

/** The day of an ISO 8601 moment. */
export const dayOf = (moment: string): string => dayInWords(new Date(moment));

/** A charge: `$5.00 on January 15, 2027`, or its day alone. */
const chargeInWords = ({ on, money }: Charge, onlyDay = false): string =>
  `${money && !onlyDay ? `${moneyInWords(money)} ` : ''}on ${dayOf(on)}`;

/** The charges to come, in a sentence. Empty if there are none. */
export function chargesInWords(charges: readonly Charge[], onlyDay = false): string {
  const [next] = charges;
  if (!next) return '';
  if (charges.length > 1)
    return `The next charges are ${charges.map((each) => chargeInWords(each)).join(' and ')}.`;
  if (next.money?.amount === 0) return `Nothing is charged on ${dayOf(next.on)}.`;
  return `The next charge is ${chargeInWords(next, onlyDay)}.`;
}

/** Price, interval and next charge of a plan with this name, in sentences. Empty on Free. */
export function termsInWords(name: string, standing: Standing): string {
  const charges = chargesIn(standing);
  const [charge] = charges;
  const end = endIn(standing);
  const lasts = end === undefined ? '' : `${name} lasts until ${dayOf(end)} and does not renew after that.`;
  switch (standing.kind) {
    case 'renews': {
      const { price, interval } = charge ?? standing;
      const each = interval === undefined ? '' : ` per ${interval}`;
      const costs = price === undefined ? name : `${name} costs ${moneyInWords(price)}${each}`;
      const and = price === undefined ? '' : ', and';
      const next = chargesInWords(charges, charge?.money?.amount === price?.amount);
      return end === undefined
        ? inSentences(`${costs}${and} renews automatically until you cancel.`, next)
        : // An end that Stripe's portal or support has set can be after the next renewal.
          inSentences(price === undefined ? '' : `${costs}.`, next, lasts);
    }
    case 'ends':
      return inSentences(
        `${name} lasts until ${dayOf(standing.on)} and does not renew.`,
        chargesInWords(charges),
      );
    case 'pending': {
      const sum = standing.money ? moneyInWords(standing.money) : 'The payment';
      return inSentences(`${sum} for the new period is on its way.`, lasts);
    }
    case 'failed': {
      const sum = standing.money ? moneyInWords(standing.money) : 'A payment';
      return inSentences(`${sum} is due, and not paid yet.`, lasts);
    }
    case 'paused':
      return standing.on === null
        ? ''
        : inSentences('Your payments are paused: nothing is charged for now.', lasts);
    case 'invoiced':
      return inSentences('You pay by invoice.', lasts);
    case 'complimentary':
      return `${name} costs you nothing.`;
    default:
      return '';
  }
}

const inSentences = (...sentences: readonly string[]): string => sentences.filter(Boolean).join(' ');

/** Paragraphs on what a plan costs, and on how to cancel it if there is something to cancel. */
export const termsParagraphs = (name: string, standing: Standing, siteUrl: string): string[] =>
  [
    termsInWords(name, standing),
    endIn(standing) === undefined || chargesIn(standing).length > 0 ? howToCancel(name, siteUrl) : '',
  ].filter(Boolean);

/** How to cancel. Every mail about a charge says so. */
export const howToCancel = (name: string, siteUrl: string): string =>
  `To cancel, open ${siteUrl}/cancel and press “Yes, Cancel My Subscription”. You keep ${name} for the time you've paid for.`;

/** A button to the invoice, or else to the dashboard, which lists all. */
export const invoiceButton = (url: string | undefined, siteUrl: string) =>
  url === undefined
    ? { label: 'See my invoices', url: `${siteUrl}/dashboard` }
    : { label: 'See the invoice', url };
