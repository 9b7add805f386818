import type { NoticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import { attempt } from '../runtime/attempt.ts';

/** Whether a mail is due that several requests at once may cause. An extra mail is better than none. */
export async function isNoticeDue(
  limits: NoticeLimits,
  notice: Parameters<NoticeLimits['claim']>[0],
  id: string,
  at: Date,
): Promise<boolean> {
  return (await attempt('mail-not-limited', { user: id }, () => limits.claim(notice, id, at))) ?? true;
}
