import type { NoticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { isNoticeDue } from './is-notice-due.ts';
import { type NotifiedAccount, notifyAccount, type NotifyDependencies } from './notify-account.ts';

export interface PasswordMailDependencies extends NotifyDependencies {
  notices: NoticeLimits;
  /** The site's origin. */
  siteUrl: string;
}

/** Mails the owner about a changed or reset password, once for several changes in a row. Never throws. */
export async function mailPasswordChanged(
  { notices, siteUrl, ...mailing }: PasswordMailDependencies,
  owner: NotifiedAccount,
  change: { at: Date; sessionsEnded?: boolean },
): Promise<void> {
  if (!(await isNoticeDue(notices, 'password', owner.id, change.at))) return;
  await notifyAccount(
    mailing,
    owner,
    (earlier) => passwordChangedEmail({ siteUrl, ...change, earlier }),
    change.at,
  );
}
