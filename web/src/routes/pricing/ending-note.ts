import { offerOf } from '../../plan/known-plan.ts';
import type { PlanNews } from '../../plan/plan-news.ts';
import { day, text, type Text } from '../../plan/text.ts';

/** The note about the price of a renewal, on the card of a plan that ends `on` that day. */
export function endingNoteOf(on: string, news: PlanNews): Text {
  const { name, price, period } = offerOf(news);
  const expires = text`Your ${name} plan expires on ${day(on)}.`;
  if (news.kind !== 'ends' || news.renewal === null) return expires;
  return news.renewal === 'free'
    ? text`${expires} Renewing it costs nothing until then.`
    : text`${expires} This plan was free. To keep ${name}, subscribe for ${price} ${period}.`;
}
