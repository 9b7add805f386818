import { plans } from '../../../../schemas/product.ts';
import type { PlanNews } from '../../plan/plan-news.ts';
import { day, text, type Text } from '../../plan/text.ts';

const { name, price, period } = plans.plus;

/** What the card of Plus says of a plan that ends `on` that day: what renewing it costs. */
export function endingNoteOf(on: string, news: PlanNews): Text {
  const expires = text`Your ${name} plan expires on ${day(on)}.`;
  if (news.kind !== 'ends' || news.renewal === null) return expires;
  return news.renewal === 'free'
    ? text`${expires} Renewing it costs nothing until then.`
    : text`${expires} It was complimentary: to renew it you buy ${name}, and pay ${price} ${period} from the day you buy it.`;
}
