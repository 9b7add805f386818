import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { Uses } from '../adapters/adapters.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { isNoticeDue } from './is-notice-due.ts';
import { notify } from './notify.ts';
import { recoveryLink } from './reset-link.ts';

/** Mails the owner about a changed or reset password, once for several changes in a row. Never throws. */
export async function mailPasswordChanged(
  { notices, mail, ...links }: Uses<'notices' | 'mail' | 'proofs' | 'siteUrl'>,
  owner: { id: string; username: string; email: string | undefined },
  about: { at: Date; sessionsEnded: boolean; removed: ProviderKey[] },
): Promise<void> {
  if (owner.email === undefined || !(await isNoticeDue(notices, 'password', owner.id, about.at))) return;
  const url = await recoveryLink(links, { ...owner, hasPassword: true }, about.at);
  await notify(mail, owner.email, passwordChangedEmail({ url, ...about }));
}
