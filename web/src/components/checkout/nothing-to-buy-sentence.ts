import { planLineOf } from '../../plan/plan-line.ts';
import type { PlanNews } from '../../plan/plan-news.ts';
import { day, text, type Text } from '../../plan/text.ts';

/** The sentence about a plan for a user who wants to buy the plan again. */
export function nothingToBuyOf(news: PlanNews): Text {
  if (news.kind === 'ends') {
    return text`It runs until ${day(news.on)}. You don't need to buy it again. Renew for free until then.`;
  }
  const line = planLineOf(news);
  if (line === null) return [];
  if (news.kind !== 'failed' && news.kind !== 'unpaid') return line.rest;
  return line.rest.length === 0 ? line.lead : text`${line.lead} ${line.rest}`;
}
