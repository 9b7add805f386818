import { type KnownPlan, nameOf, offerOf } from '../product/known-plan.ts';
import { formatAmount } from '../product/format-amount.ts';
import { plans } from '../product/offers.ts';
import type { Charge, FailureCause, Standing } from './standing.ts';
import { day, text, type Text } from './text.ts';

/** A standing in sentences: pages, mails and support say the same. */
export interface StandingInWords {
  /** The state, without its full stop. */
  lead: Text;
  /** Whole sentences about its consequences. */
  rest: Text;
  /** The charge alone, beside the plan's name. @default `rest` */
  charge?: Text;
}

/** Sentences about a payment that the bank is still processing. */
export const processing = {
  /** Without its full stop. */
  what: 'Your payment is being processed',
  nextOf: (known: KnownPlan): string =>
    `Your bank can take a few days. ${nameOf(known)} begins when the money arrives. No action needed.`,
};

/** The amount as text; null if it isn't known. */
export const amountOf = ({ money }: Pick<Charge, 'money'>): string | null =>
  money && formatAmount(money.amount, money.currency);

const NOT_CHARGED = text`You're not being charged.`;

export function standingInWords(standing: Standing): StandingInWords {
  const name = nameOf(standing);
  const lead = text`You're on ${name}`;
  switch (standing.kind) {
    case 'free':
      return {
        lead: text`You're on ${plans.free.name}`,
        rest: text`You have ${plans.free.features[0]}.`,
        charge:
          standing.endedAt === null
            ? NOT_CHARGED
            : text`${name} ended on ${day(standing.endedAt)}. ${NOT_CHARGED}`,
      };
    case 'processing':
      return {
        lead: text`${processing.what}`,
        rest: text`${processing.nextOf(standing)}`,
        charge: text`${processing.what}.`,
      };
    case 'purchase-failed':
      return {
        lead: text`Your payment on ${day(standing.on)} didn't go through`,
        rest: text`Your bank didn't complete it. You weren't charged, and you can try again.`,
        charge: NOT_CHARGED,
      };
    case 'lost':
      return {
        lead: text`Your ${name} ended on ${day(standing.since)} because your payments failed`,
        // An open invoice would be owed.
        rest: text`${standing.hasOpenInvoice ? 'You' : 'You owe nothing, and'} can buy it again at any time.`,
        charge: NOT_CHARGED,
      };
    case 'unpaid':
      return {
        lead: text`Your ${name} is paused because your payments failed`,
        rest: text`Stripe won't try again automatically. Once the open invoice is paid, ${name} is back.`,
        charge: text`An invoice is open and unpaid.`,
      };
    case 'complimentary':
      return { lead, rest: text`It is complimentary: nothing is charged.` };
    case 'renews':
      return { lead, rest: inSentences(chargesLineOf(standing), endLineOf(name, standing.until)) };
    case 'paused': {
      if (standing.on === null) {
        return {
          lead: text`Your ${name} is paused by our support`,
          rest: text`Nothing is charged until it resumes.`,
        };
      }
      const payments = text`Your payments are paused: nothing is charged for now.`;
      return { lead, rest: inSentences(payments, chargesLineOf(standing)) };
    }
    case 'ends': {
      const charges = chargesLineOf(standing);
      return {
        lead: text`You're on ${name} until ${day(standing.on)}`,
        rest: charges.length > 0 ? charges : text`You won't be charged again.`,
        charge: inSentences(text`${name} until ${day(standing.on)}, then ${plans.free.name}.`, charges),
      };
    }
    case 'pending':
      return { lead, rest: inSentences(paymentLineOf(standing), endLineOf(name, standing.endsAt)) };
    case 'invoiced':
      return { lead, rest: inSentences(text`You pay by invoice.`, endLineOf(name, standing.endsAt)) };
    default:
      return failedLine(standing);
  }
}

const causes: Record<FailureCause, string> = {
  declined: 'Your bank declined it. ',
  confirm: 'Your bank wants you to confirm it. ',
  'no-card': 'We have no card to charge. ',
};

function failedLine(standing: Extract<Standing, { kind: 'failed' }>): StandingInWords {
  const { nextTry, lostOn, cause } = standing;
  const name = nameOf(standing);
  const amount = amountOf(standing);
  const end = standing.endsAt === null ? [] : text`${name} won't be renewed after ${day(standing.endsAt)}. `;
  const common = {
    lead: text`Your last payment${amount === null ? '' : ` of ${amount}`} didn't go through`,
    charge: text`${amount ?? 'A payment'} due, and not paid yet.`,
  };
  const why = cause === null ? '' : causes[cause];
  if (nextTry === null) {
    const last =
      lostOn === null ? [] : text`Stripe won't try again: ${name} ends on ${day(lostOn)} unless it is paid.`;
    return { ...common, rest: text`${end}${why}${last}` };
  }
  // A payment that the cardholder has to confirm isn't taken by another try.
  const keeps =
    cause === 'confirm'
      ? text`You keep ${name} until ${day(nextTry)}, and lose it later if it isn't paid.`
      : text`You keep ${name} while Stripe tries again, next on ${day(nextTry)}.`;
  return { ...common, rest: text`${end}${why}${keeps}` };
}

/** The charges to come. Empty if there are none. */
export function chargesLineOf({ charges }: { charges: readonly Charge[] }): Text {
  const [next, ...others] = charges;
  if (!next) return [];
  if (others.length === 0 && next.money?.amount === 0) return text`Nothing is charged on ${day(next.on)}.`;
  const chargeOf = (charge: typeof next): Text => {
    const amount = amountOf(charge);
    return text`${amount === null ? '' : ` ${amount}`} on ${day(charge.on)}`;
  };
  return others.length === 0
    ? text`Next charge${next.money ? ':' : ''}${chargeOf(next)}.`
    : text`Next charges:${others.reduce((list, each) => text`${list} and${chargeOf(each)}`, chargeOf(next))}.`;
}

const endLineOf = (name: string, until: string | null): Text =>
  until === null ? [] : text`${name} ends on ${day(until)}.`;

/** The sentence about a renewal's payment that hasn't arrived. */
export function paymentLineOf(standing: Extract<Standing, { kind: 'pending' }>): Text {
  const sum = amountOf(standing) ?? `the price of ${nameOf(standing)}`;
  const state = {
    soon: 'will be taken within the hour.',
    delayed: "hasn't been taken yet. You don't have to do anything.",
    processing: 'is being processed by your bank.',
  }[standing.payment];
  return text`The payment of ${sum} for the new ${offerOf(standing).interval} ${state}`;
}

const inSentences = (...sentences: readonly Text[]): Text =>
  sentences
    .filter(({ length }) => length > 0)
    .reduce((before, after) => (before.length === 0 ? after : text`${before} ${after}`), []);
