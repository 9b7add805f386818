import { formatAmount } from '../../schemas/product/format-amount.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';
import { chargesLineOf, standingInWords } from '../../schemas/shapes/standing-in-words.ts';
import type { Text } from '../../schemas/shapes/text.ts';
import { chargesIn, endIn, givesPlan } from '../domain/standing.ts';
import { dayInWords } from './moment.ts';

/** An amount in the smallest unit of its currency: `$5.00`, `€5.00`. */
export const moneyInWords = ({ amount, currency }: { amount: number; currency: string }): string =>
  formatAmount(amount, currency);

/** The day of a moment in Unix seconds. */
export const dayOfUnix = (seconds: number): string => dayInWords(new Date(seconds * 1000));

/** The day of an ISO 8601 moment. */
export const dayOf = (moment: string): string => dayInWords(new Date(moment));

/** A sentence of pages as plain text. */
export const plainText = (text: Text): string =>
  text.map((part) => (typeof part === 'string' ? part : dayOf(part.day))).join('');

/** The sentences of pages about a standing. */
export function standingInSentences(standing: Standing): string {
  const { lead, rest } = standingInWords(standing);
  return `${plainText(lead)}. ${plainText(rest)}`.trim();
}

/** The charges to come, in a sentence. Empty if there are none. */
export const chargesInWords = (standing: Standing): string =>
  plainText(chargesLineOf({ charges: chargesIn(standing) }));

/** Price, interval and next charge of a plan with this name, in sentences. Empty on Free. */
export function termsInWords(name: string, standing: Standing): string {
  if (!givesPlan(standing)) return '';
  // A failure has a mail of its own.
  if (standing.kind === 'failed') return plainText(standingInWords(standing).charge ?? []);
  const { price, interval } = chargesIn(standing)[0] ?? standing;
  if (standing.kind !== 'renews' || price === undefined) return standingInSentences(standing);
  const costs = `${name} costs ${moneyInWords(price)}${interval === undefined ? '' : ` per ${interval}`}`;
  const renews = standing.until === null ? ', and renews automatically until you cancel' : '';
  return `${costs}${renews}. ${plainText(standingInWords(standing).rest)}`;
}

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
