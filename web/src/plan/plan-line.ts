import { plans } from '../../../schemas/product/offers.ts';
import { nameOf } from './known-plan.ts';
import { amountOf, paymentLineOf, type PlanNews } from './plan-news.ts';
import { processing } from './processing.ts';
import { day, text, type Text } from './text.ts';

/** An action on the dashboard. */
export type PlanAction = 'update-card' | 'pay-invoice' | 'buy' | 'try-again' | 'cancel';

/** A plan and its next charge in sentences, which every page shows. */
export interface PlanLine {
  /** The state, without its full stop. */
  lead: Text;
  /** Whole sentences about its consequences. */
  rest: Text;
  /** The charge alone, beside the plan's name. @default `rest` */
  charge?: Text;
  /** Ways to change it, the most likely first. Present if the dashboard shows the line as news. */
  actions?: readonly PlanAction[];
}

const NOT_CHARGED = text`You're not being charged.`;

/** Null while the plan and its payments load. */
export function planLineOf(news: PlanNews): PlanLine | null {
  const name = nameOf(news);
  const lead = text`You're on ${name}`;
  switch (news.kind) {
    case 'loading':
      return null;
    case 'unread':
      return { lead, rest: text`We couldn't load your next charge just now.` };
    case 'free':
      return {
        lead: text`You're on ${plans.free.name}`,
        rest: text`You have ${plans.free.features[0]}.`,
        charge:
          news.endedAt === null ? NOT_CHARGED : text`${name} ended on ${day(news.endedAt)}. ${NOT_CHARGED}`,
      };
    case 'processing':
      return {
        lead: text`${processing.what}`,
        rest: text`${processing.nextOf(news)}`,
        charge: text`${processing.what}.`,
        actions: [],
      };
    case 'purchase-failed':
      return {
        lead: text`Your payment on ${day(news.on)} didn't go through`,
        rest: text`Your bank didn't complete it. You weren't charged, and you can try again.`,
        charge: NOT_CHARGED,
        actions: ['try-again'],
      };
    case 'lost':
      return {
        lead: text`Your ${name} ended on ${day(news.since)} because your payments failed`,
        // An open invoice would be owed.
        rest: text`${news.hasOpenInvoice ? 'You' : 'You owe nothing, and'} can buy it again at any time.`,
        charge: NOT_CHARGED,
        actions: ['buy'],
      };
    case 'unpaid':
      return {
        lead: text`Your ${name} is paused because your payments failed`,
        rest: text`Stripe won't try again by itself. Once the open invoice is paid, ${name} is back.`,
        charge: text`An invoice is open and unpaid.`,
        actions: payable(news),
      };
    case 'complimentary':
      return { lead, rest: text`It is complimentary: nothing is charged.` };
    case 'renews': {
      const amount = amountOf(news);
      const charge = text`Next charge${amount === null ? '' : `: ${amount}`} on ${day(news.chargedOn)}.`;
      return {
        lead,
        rest: news.until === null ? charge : text`${charge} ${name} ends on ${day(news.until)}.`,
      };
    }
    case 'paused':
      return news.on === null
        ? {
            lead: text`Your ${name} is paused by our support`,
            rest: text`Nothing is charged until it resumes.`,
            actions: ['cancel'],
          }
        : { lead, rest: text`Your payments are paused: nothing is charged for now.` };
    case 'ends':
      return {
        lead: text`You're on ${name} until ${day(news.on)}`,
        rest: text`You won't be charged again.`,
        charge: text`${name} until ${day(news.on)}, then ${plans.free.name}.`,
      };
    case 'pending':
      return news.dueOn === null
        ? { lead, rest: paymentLineOf(news) }
        : { lead: text`An invoice is due`, rest: paymentLineOf(news), actions: payable(news) };
    default:
      return failedLine(news);
  }
}

function failedLine(news: Extract<PlanNews, { kind: 'failed' }>): PlanLine {
  const name = nameOf(news);
  const amount = amountOf(news);
  const end = news.endsAt === null ? [] : text`${name} won't be renewed after ${day(news.endsAt)}. `;
  const common = {
    lead: text`Your last payment${amount === null ? '' : ` of ${amount}`} didn't go through`,
    charge: text`${amount ?? 'A payment'} due, and not paid yet.`,
  };
  return news.nextTry === null
    ? { ...common, rest: end, actions: [...payable(news), 'update-card'] }
    : {
        ...common,
        rest: text`${end}You keep ${name} while Stripe tries again, next on ${day(news.nextTry)}.`,
        actions: ['update-card', ...payable(news)],
      };
}

const payable = ({ payAt }: { payAt: string | null }): PlanAction[] =>
  payAt === null ? [] : ['pay-invoice'];
