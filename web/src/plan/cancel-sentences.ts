import { plans } from '../../../schemas/product/offers.ts';
import { nameOf, offerOf } from '../../../schemas/product/known-plan.ts';
import { paymentLineOf } from '../../../schemas/shapes/standing-in-words.ts';
import type { ShownStanding } from './shown-standing.ts';
import type { Cancellable } from './plan-status.ts';
import { day, text, type Text } from '../../../schemas/shapes/text.ts';

const afterwards = `on ${plans.free.name}, with ${plans.free.features[0]}`;
const then = `Your account is then ${afterwards}.`;

interface Consequences {
  /** The end of Plus, in one sentence. */
  lead: Text;
  /** The consequences, a paragraph each. */
  details: readonly Text[];
}

/** The consequences of a cancellation, shown before the user cancels. */
export function consequencesOf(kind: Cancellable['kind'], standing: ShownStanding): Consequences {
  const { name, price, period } = offerOf(standing);
  if (kind === 'complimentary') {
    return {
      lead: text`You keep ${name} until the end of this month.`,
      details: [
        text`Your ${name} is complimentary. After that your account is ${afterwards}, and to have ${name} again you buy it, at ${price} ${period}.`,
      ],
    };
  }
  switch (standing.kind) {
    case 'renews':
      return {
        lead: text`You keep ${name} until ${day(standing.on)}${standing.until === null ? '' : text` instead of ${day(standing.until)}`}.`,
        details: [text`You won't be charged again. ${then}`],
      };
    case 'unpaid':
      return {
        lead: text`Your ${name} ends at once.`,
        details: [text`The open invoice is voided, and you won't be charged again. ${then}`],
      };
    case 'paused':
      if (standing.on === null) {
        return {
          lead: text`Your ${name} is paused, and ends at once.`,
          details: [text`It doesn't resume, and you won't be charged again. ${then}`],
        };
      }
      return {
        lead: text`You keep ${name} until ${day(standing.on)}.`,
        details: [text`Your payments are paused, and you won't be charged again. ${then}`],
      };
    case 'invoiced':
      return {
        lead: text`You keep ${name} until the end of the time that your last invoice is for.`,
        details: [text`No other invoice is sent. An open one stays due. ${then}`],
      };
    case 'pending':
      return standing.payment === 'processing'
        ? {
            lead: text`Your bank is processing a payment, so ${name} ends at once.`,
            details: [
              text`The payment is returned when it arrives. You won't be charged after that. ${then}`,
            ],
          }
        : dueOf(standing);
    case 'failed':
      return dueOf(standing);
    default:
      return unknownOf(standing);
  }
}

// Stripe may charge between the read and the cancellation.
const dueOf = (standing: Extract<ShownStanding, { kind: 'pending' | 'failed' }>): Consequences => ({
  lead: text`A payment is due, so ${nameOf(standing)} ends at once.`,
  details: [
    text`The payment is not taken, or is refunded if it is on its way, and you won't be charged again. ${then}`,
    text`Only if the payment arrives before you cancel do you keep ${nameOf(standing)} until ${day(standing.paysUntil)}.`,
  ],
});

/**
 * The sentences without Stripe's answer. A renewal's payment is due for about an hour
 * (https://docs.stripe.com/billing/subscriptions/webhooks).
 */
const unknownOf = (standing: ShownStanding): Consequences => ({
  lead: text`You keep ${nameOf(standing)} until the time you have paid for is over.`,
  details: [
    text`You won't be charged again. ${then}`,
    text`If a payment is due, ${nameOf(standing)} ends at once, and the payment is not taken. A new ${offerOf(standing).interval} is charged about an hour after it begins, and until then its payment is due.`,
  ],
});

interface CancelledSentences {
  lead: Text;
  /** The sentence about continuing Plus, before and after the link to the pricing page. */
  renewal?: readonly [before: string, after: string];
}

/** The sentences about a plan that was canceled and runs `until` that day. */
export function cancelledOf(until: string, standing: ShownStanding): CancelledSentences {
  const { name, price, period } = offerOf(standing);
  if (standing.kind === 'failed') {
    const again = standing.nextTry === null ? [] : text` Stripe will try again on ${day(standing.nextTry)}.`;
    return {
      lead: text`${name} won't be renewed after ${day(until)}, but your last payment didn't go through.${again} If it isn't paid, ${name} ends before that day.`,
    };
  }
  if (standing.kind === 'pending') {
    return { lead: text`You keep ${name} until ${day(until)}. ${paymentLineOf(standing)}` };
  }
  const lead = text`You keep ${name} until ${day(until)}. After that your account is on ${plans.free.name}.`;
  const renewal = standing.kind === 'ends' ? standing.renewal : null;
  if (renewal === null) return { lead };
  return {
    lead,
    renewal:
      renewal === 'free'
        ? ['Changed your mind? Until then you can renew on the ', ', at no extra charge.']
        : [`Your ${name} was complimentary. To keep it you can buy it on the `, `, at ${price} ${period}.`],
  };
}
