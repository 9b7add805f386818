import { namesOf } from '../../../../schemas/product/providers.ts';
import type { SupportedAccount } from '../accounts.ts';
import type { Answer } from '../answer.ts';
import { nameOf } from '../in-words.ts';
import type { Tools } from '../tools.ts';

/** Sends the account at this address the mail with the code that it waits for. */
export async function resend({ accounts, mailTo }: Tools, { email }: { email: string }): Promise<Answer> {
  const found = await accounts.withAddress(email);
  const account = found.find(({ hasPassword }) => hasPassword) ?? found[0];
  if (!account) return { lines: [`No account has the address ${email}.`] };
  const mail = mailFor(account);
  if ('none' in mail) return { lines: [`${nameOf(account)} ${mail.none}`] };
  const state = await mailTo(account.email);
  if (state === 'stopped') {
    return {
      lines: [
        `${nameOf(account)} would get nothing: mail to the address bounced or was marked as spam, so SES sends none. See "Mail to an address bounces" in the runbook.`,
      ],
    };
  }
  const { username } = account;
  const change = {
    action: 'resend',
    id: account.sub,
    detail: mail.kind,
    run: async () => {
      if (mail.kind === 'confirmation') await accounts.sendConfirmation(username);
      else await accounts.sendReset(username);
      return ['Cognito has accepted the mail. Its code is valid for a limited time.'];
    },
  };
  const text =
    mail.kind === 'confirmation'
      ? 'has not confirmed the address, and would get the confirmation mail again.'
      : 'would get the mail to choose a new password. The present password keeps working.';
  return {
    lines: [
      `${nameOf(account)} ${text}`,
      ...(state === 'unknown' ? ['SES does not say whether it has stopped mail to the address.'] : []),
    ],
    change,
  };
}

/** The mail for the state of an account, or the reason why there is none. */
export function mailFor(
  account: Pick<SupportedAccount, 'status' | 'enabled' | 'emailVerified' | 'hasPassword' | 'providers'>,
): { kind: 'confirmation' | 'reset' } | { none: string } {
  const { status, enabled, emailVerified, hasPassword, providers } = account;
  if (!enabled) return { none: 'is disabled. See "Locked after an undo" in the runbook.' };
  if (!hasPassword) return { none: `signs in with ${namesOf(providers)}, and needs no code.` };
  if (status === 'UNCONFIRMED') return { kind: 'confirmation' };
  if (!emailVerified) return { none: 'has no verified address, so Cognito sends no code.' };
  return { kind: 'reset' };
}
