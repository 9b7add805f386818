import { plans } from '../../../../../schemas/product/offers.ts';
import { nameOf } from '../../../plan/known-plan.ts';
import { amountOf, paymentLineOf, type PlanNews } from '../../../plan/plan-news.ts';
import { processing } from '../../../plan/processing.ts';
import { day, text, type Text } from '../../../plan/text.ts';

const NOTHING = text`You're not being charged.`;

/** The next charge, shown below the plan. */
export function chargeLineOf(news: PlanNews): Text {
  const name = nameOf(news);
  switch (news.kind) {
    case 'loading':
      return text`Loading your next charge...`;
    case 'unread':
      return text`We couldn't load your next charge just now.`;
    case 'processing':
      return text`${processing.what}`;
    case 'free':
      return news.endedAt === null ? NOTHING : text`${name} ended on ${day(news.endedAt)}. ${NOTHING}`;
    case 'purchase-failed':
    case 'lost':
      return NOTHING;
    case 'unpaid':
      return text`An invoice is open and unpaid.`;
    case 'complimentary':
      return text`Complimentary: nothing is charged.`;
    case 'renews': {
      const amount = amountOf(news);
      const charge = text`Next charge${amount === null ? '' : `: ${amount}`} on ${day(news.chargedOn)}`;
      return news.until === null ? charge : text`${charge}. ${name} ends on ${day(news.until)}.`;
    }
    case 'paused':
      return news.on === null
        ? text`${name} is paused: nothing is charged until it resumes.`
        : text`Payments are paused: nothing is charged for now.`;
    case 'ends':
      return text`${name} until ${day(news.on)}, then ${plans.free.name}.`;
    case 'pending':
      return paymentLineOf(news);
    default:
      return text`${sumOf(news)} due, and not paid yet.`;
  }
}

const sumOf = (news: Parameters<typeof amountOf>[0]): string => amountOf(news) ?? 'A payment';

interface PaymentNews {
  title: string;
  tone: 'plain' | 'success' | 'danger';
  body: Text;
  /** Actions, the most likely first. */
  actions: readonly ('update-card' | 'pay-invoice' | 'buy' | 'try-again' | 'cancel')[];
}

/**
 * The news about the user's payments, and what to do about it. Null if there is no news. `cardTaken`: a new
 * card was accepted, and the payment hasn't been tried since. Anyone can type the address that says so, so
 * `cardTaken` hides no action.
 */
export function paymentNewsOf(news: PlanNews, cardTaken: boolean): PaymentNews | null {
  const name = nameOf(news);
  switch (news.kind) {
    case 'failed':
      return cardTaken ? newCard(news) : paymentFailed(news);
    case 'unpaid':
      return {
        title: `${name} is paused because your payments failed`,
        tone: 'plain',
        body: text`Stripe won't try again by itself. Pay the open invoice, and ${name} is back.`,
        actions: ['pay-invoice'],
      };
    case 'processing':
      return {
        title: 'Your payment is being processed',
        tone: 'plain',
        body: text`${processing.wholeOf(news)}`,
        actions: [],
      };
    case 'purchase-failed':
      return {
        title: "Your payment didn't go through",
        tone: 'plain',
        body: text`Your bank didn't complete your payment on ${day(news.on)}, so ${name} hasn't begun. You weren't charged, and you can try again.`,
        actions: ['try-again'],
      };
    case 'lost':
      return {
        title: `${name} ended because your payments failed`,
        tone: 'plain',
        body: text`Stripe tried your card several times. You have been on ${plans.free.name} since ${day(news.since)}.${
          news.hasOpenInvoice ? '' : ' You owe nothing, and nothing more is charged.'
        }`,
        actions: ['buy'],
      };
    case 'renews':
    case 'ends':
      return cardTaken ? cardTakenBefore(text`Nothing is due.`) : null;
    case 'paused':
      if (news.on !== null) return cardTaken ? cardTakenBefore(text`Nothing is due.`) : null;
      return {
        title: `${name} is paused`,
        tone: 'plain',
        body: text`Our support has paused it. Nothing is charged until it resumes.`,
        actions: ['cancel'],
      };
    case 'pending':
      if (news.payment === 'sent') {
        return {
          title: 'An invoice is due',
          tone: 'plain',
          body: paymentLineOf(news),
          actions: ['pay-invoice'],
        };
      }
      return cardTaken ? cardTakenBefore(chargeLineOf(news)) : null;
    default:
      return null;
  }
}

const NEW_CARD = 'Your new card is saved';

const cardTakenBefore = (body: Text): PaymentNews => ({
  title: NEW_CARD,
  tone: 'success',
  body,
  actions: [],
});

type Failed = Extract<PlanNews, { kind: 'failed' }>;

function paymentFailed({ nextTry, payAt, endsAt, ...known }: Failed): PaymentNews {
  const name = nameOf(known);
  const title = "Your last payment didn't go through";
  const end = endsAt === null ? [] : text`${name} won't be renewed after ${day(endsAt)}. `;
  if (nextTry === null) {
    return {
      title,
      tone: 'danger',
      body: text`${end}${payAt === null ? 'Add a new card' : 'Pay the invoice'} so that you don't lose ${name} before its time is over.`,
      actions: payAt === null ? ['update-card'] : ['pay-invoice', 'update-card'],
    };
  }
  return {
    title,
    tone: 'danger',
    body: text`${end}You keep ${name} while Stripe tries again, next on ${day(nextTry)}. Add a new card so that you don't lose it: the next attempt will charge it. Or pay the invoice yourself right away.`,
    actions: ['update-card', 'pay-invoice'],
  };
}

function newCard({ nextTry, payAt, ...known }: Failed): PaymentNews {
  const name = nameOf(known);
  const pay = payAt === null ? '' : ' Or pay the invoice yourself right away.';
  const payNow = payAt === null ? '' : ` Pay the invoice so that you don't lose ${name}.`;
  return {
    title: NEW_CARD,
    tone: 'success',
    body:
      nextTry === null
        ? text`The payment that failed is still due.${payNow}`
        : text`Stripe will try the payment again on ${day(nextTry)}, and you keep ${name} until then.${pay}`,
    actions: ['pay-invoice', 'update-card'],
  };
}
