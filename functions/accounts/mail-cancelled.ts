import type { NoticeLimits } from '../adapters/dynamodb/notice-limits.ts';
import { subscriptionCancelledEmail } from '../emails/subscription-cancelled.ts';
import { isNoticeDue } from './is-notice-due.ts';
import { notifyAccount, type NotifiedAccount, type NotifyDependencies } from './notify-account.ts';

export interface MailCancelledDependencies extends NotifyDependencies {
  notices: NoticeLimits;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Mails an account that its plan was cancelled, once for several cancellations in a row. `endsAt`: the end
 * of the plan, in Unix seconds.
 */
export async function mailCancelled(
  dependencies: MailCancelledDependencies,
  account: NotifiedAccount,
  endsAt: number,
  now: Date,
): Promise<void> {
  const { notices, siteUrl } = dependencies;
  if (!(await isNoticeDue(notices, 'cancel', account.id, now))) return;
  const end = new Date(endsAt * 1000);
  const about = { siteUrl, at: now, lastsUntil: end > now ? end : undefined };
  await notifyAccount(
    dependencies,
    account,
    (earlier) => subscriptionCancelledEmail({ ...about, earlier }),
    now,
  );
}
