import type { NoticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import type { LimitedNotice } from '../domain/limited-notice.ts';
import { attempt } from '../runtime/attempt.ts';

/** Whether a mail is due that several requests at once may cause. An extra mail is better than none. */
export async function isNoticeDue(
  limits: NoticeLimits,
  notice: LimitedNotice,
  id: string | undefined,
  at: Date,
): Promise<boolean> {
  if (id === undefined) return true;
  return (await attempt('mail-not-limited', { user: id }, () => limits.claim(notice, id, at))) ?? true;
}
