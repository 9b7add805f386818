import { plans } from '../../../schemas/product/offers.ts';
import { nameOf } from './known-plan.ts';
import { amountOf, paymentLineOf, type PlanNews } from './plan-news.ts';
import { processing } from './processing.ts';
import { day, text, type Text } from './text.ts';

interface PlanLine {
  /** Text about the plan. */
  lead: Text;
  /** Text about the charge. */
  rest: Text;
  /** The action that the user can take on the dashboard. */
  todo?: 'Add a new card' | 'Pay the invoice';
}

/** The plan and its next charge in a line or two. Null while they load. */
export function planLineOf(news: PlanNews): PlanLine | null {
  const name = nameOf(news);
  const onPlan = text`You're on ${name}.`;
  switch (news.kind) {
    case 'loading':
      return null;
    case 'free':
      return { lead: text`You're on ${plans.free.name},`, rest: text`with ${plans.free.features[0]}.` };
    case 'processing':
      return { lead: text`${processing.what}`, rest: text`${processing.nextOf(news)}` };
    case 'purchase-failed':
      return {
        lead: text`Your payment on ${day(news.on)} didn't go through.`,
        rest: text`You weren't charged. You can buy ${name} again at any time.`,
      };
    case 'lost':
      return {
        lead: text`Your ${name} ended on ${day(news.since)},`,
        rest: text`because your payments failed. You can buy it again at any time.`,
      };
    case 'unpaid':
      return {
        lead: text`Your ${name} is paused because your payments failed.`,
        rest: text`Once the open invoice is paid, it is back.`,
        todo: 'Pay the invoice',
      };
    case 'complimentary':
      return { lead: onPlan, rest: text`It is complimentary: nothing is charged.` };
    case 'unread':
      return { lead: onPlan, rest: text`We couldn't read when the next charge is.` };
    case 'renews':
      return {
        lead: news.until === null ? onPlan : text`You're on ${name} until ${day(news.until)}.`,
        rest: text`Next charge: ${sumOf(news, name)} on ${day(news.chargedOn)}.`,
      };
    case 'paused':
      return news.on === null
        ? {
            lead: text`Your ${name} is paused by our support.`,
            rest: text`Nothing is charged until it resumes.`,
          }
        : { lead: onPlan, rest: text`Your payments are paused.` };
    case 'ends':
      return {
        lead: text`You're on ${name} until ${day(news.on)}.`,
        rest: text`You won't be charged again.`,
      };
    case 'pending':
      return {
        lead: onPlan,
        rest: paymentLineOf(news),
        ...(news.payAt !== null && news.dueOn !== null && { todo: 'Pay the invoice' as const }),
      };
    default:
      return {
        lead: text`Your last payment of ${sumOf(news, name)} didn't go through.`,
        rest: news.nextTry === null ? [] : text`Stripe will try again on ${day(news.nextTry)}.`,
        todo: news.nextTry === null && news.payAt !== null ? 'Pay the invoice' : 'Add a new card',
      };
  }
}

const sumOf = (news: Parameters<typeof amountOf>[0], name: string): string =>
  amountOf(news) ?? `the price of ${name}`;
