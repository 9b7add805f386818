import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { NoticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import type { Mail } from '../adapters/ses.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { isNoticeDue } from './is-notice-due.ts';
import { notify } from './notify.ts';
import { type LinkDependencies, recoveryLink } from './reset-link.ts';

export interface PasswordMailDependencies extends LinkDependencies {
  notices: NoticeLimits;
  mail: Pick<Mail, 'send'>;
}

/** Mails the owner about a changed or reset password, once for several changes in a row. Never throws. */
export async function mailPasswordChanged(
  { notices, mail, ...links }: PasswordMailDependencies,
  owner: { id: string; username: string; email: string | undefined },
  about: { at: Date; sessionsEnded: boolean; removed?: ProviderKey[] },
): Promise<void> {
  if (owner.email === undefined || !(await isNoticeDue(notices, 'password', owner.id, about.at))) return;
  const url = await recoveryLink(links, { ...owner, hasPassword: true }, about.at);
  await notify(mail, owner.email, passwordChangedEmail({ url, ...about }));
}
