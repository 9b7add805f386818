import type { PasswordNotices } from '../adapters/dynamodb/password-notices.ts';
import type { Mail } from '../adapters/ses.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';

export interface PasswordMailDependencies {
  notices: PasswordNotices;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/** Mails the owner about a changed or reset password, once for several changes in a row. Never throws. */
export async function mailPasswordChanged(
  { notices, mail, siteUrl }: PasswordMailDependencies,
  owner: { id: string | undefined; email: string | undefined },
  change: { at: Date; sessionsEnded?: boolean },
): Promise<void> {
  if (!(await isDue(notices, owner.id, change.at))) return;
  await notify(mail, owner.email, passwordChangedEmail({ siteUrl, ...change }));
}

/** An extra mail is better than none. */
async function isDue(notices: PasswordNotices, id: string | undefined, at: Date): Promise<boolean> {
  if (id === undefined) return true;
  try {
    return await notices.claim(id, at);
  } catch (error) {
    log.error('mail-not-limited', { user: id }, error);
    return true;
  }
}
