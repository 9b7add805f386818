import { plans } from '../../../../schemas/product/offers.ts';
import { nameOf, offerOf } from '../../plan/known-plan.ts';
import { paymentLineOf, type PlanNews } from '../../plan/plan-news.ts';
import type { Cancellable } from '../../plan/plan-status.ts';
import { day, text, type Text } from '../../plan/text.ts';

const afterwards = `on ${plans.free.name}, with ${plans.free.features[0]}`;
const then = `Your account is then ${afterwards}.`;

interface Consequences {
  /** The end of Plus, in one sentence. */
  lead: Text;
  /** The consequences, a paragraph each. */
  details: readonly Text[];
}

/** The consequences of a cancellation, shown before the user cancels. */
export function consequencesOf(kind: Cancellable['kind'], news: PlanNews): Consequences {
  const { name, price, period } = offerOf(news);
  if (kind === 'complimentary') {
    return {
      lead: text`You keep ${name} until the end of this month.`,
      details: [
        text`Your ${name} is complimentary. After that your account is ${afterwards}, and to have ${name} again you buy it, at ${price} ${period}.`,
      ],
    };
  }
  switch (news.kind) {
    case 'renews':
      return {
        lead: text`You keep ${name} until ${day(news.on)}${news.until === null ? '' : text` instead of ${day(news.until)}`}.`,
        details: [text`You won't be charged again. ${then}`],
      };
    case 'unpaid':
      return {
        lead: text`Your ${name} ends at once.`,
        details: [text`The open invoice is voided, and you won't be charged again. ${then}`],
      };
    case 'paused':
      if (news.on === null) {
        return {
          lead: text`Your ${name} is paused, and ends at once.`,
          details: [text`It doesn't resume, and you won't be charged again. ${then}`],
        };
      }
      return {
        lead: text`You keep ${name} until ${day(news.on)}.`,
        details: [text`Your payments are paused, and you won't be charged again. ${then}`],
      };
    case 'pending':
      if (news.dueOn !== null) {
        return {
          lead: text`You keep ${name} until ${day(news.paysUntil)}.`,
          details: [paymentLineOf(news), text`You won't be charged after that. ${then}`],
        };
      }
      return news.payment === 'processing'
        ? {
            lead: text`Your bank is processing a payment, so ${name} ends at once.`,
            details: [
              text`The payment is returned when it arrives. You won't be charged after that. ${then}`,
            ],
          }
        : dueOf(news);
    case 'failed':
      return dueOf(news);
    default:
      return unknownOf(news);
  }
}

// Stripe may charge between the read and the cancellation.
const dueOf = (news: Extract<PlanNews, { kind: 'pending' | 'failed' }>): Consequences => ({
  lead: text`A payment is due, so ${nameOf(news)} ends at once.`,
  details: [
    text`The payment is not taken, and you won't be charged again. ${then}`,
    text`Only if the payment arrives before you cancel do you keep ${nameOf(news)} until ${day(news.paysUntil)}.`,
  ],
});

/**
 * The sentences without Stripe's answer. A renewal's payment is due for about an hour
 * (https://docs.stripe.com/billing/subscriptions/webhooks).
 */
const unknownOf = (news: PlanNews): Consequences => ({
  lead: text`You keep ${nameOf(news)} until the time you have paid for is over.`,
  details: [
    text`You won't be charged again. ${then}`,
    text`If a payment is due, ${nameOf(news)} ends at once, and the payment is not taken. A new ${offerOf(news).interval} is charged about an hour after it begins, and until then its payment is due.`,
  ],
});

interface CancelledSentences {
  lead: Text;
  /** The sentence about continuing Plus, before and after the link to the pricing page. */
  renewal?: readonly [before: string, after: string];
}

/** The sentences about a plan that was canceled and runs `until` that day. */
export function cancelledOf(until: string, news: PlanNews): CancelledSentences {
  const { name, price, period } = offerOf(news);
  if (news.kind === 'failed') {
    const again = news.nextTry === null ? [] : text` Stripe will try again on ${day(news.nextTry)}.`;
    return {
      lead: text`${name} won't be renewed after ${day(until)}, but your last payment didn't go through.${again} If it isn't paid, ${name} ends before that day.`,
    };
  }
  if (news.kind === 'pending') {
    return { lead: text`You keep ${name} until ${day(until)}. ${paymentLineOf(news)}` };
  }
  const lead = text`You keep ${name} until ${day(until)}. After that your account is on ${plans.free.name}.`;
  const renewal = news.kind === 'ends' ? news.renewal : null;
  if (renewal === null) return { lead };
  return {
    lead,
    renewal:
      renewal === 'free'
        ? ['Changed your mind? Until then you can renew on the ', ', at no extra charge.']
        : [`Your ${name} was complimentary. To keep it you can buy it on the `, `, at ${price} ${period}.`],
  };
}
