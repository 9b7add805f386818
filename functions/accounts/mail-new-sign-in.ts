import type { Uses } from '../adapters/adapters.ts';
import type { KnownAccount } from '../domain/profile.ts';
import { newSignInEmail } from '../emails/new-sign-in.ts';
import { notify } from '../notices/notify.ts';
import { refusalToMail } from './refusal-to-mail.ts';

/** Mails an account about a sign-in with an unknown browser, within the day's limit. Never throws. */
export async function mailNewSignIn(
  { limits, mail, siteUrl }: Uses<'limits' | 'mail' | 'siteUrl'>,
  { address: email, made_by }: KnownAccount,
  signIn: { kind: string; at: Date },
  now: Date,
): Promise<void> {
  if (email === undefined || (await refusalToMail({ limits }, { purpose: 'sign-in', of: email }, now)))
    return;
  await notify(mail, email, newSignInEmail({ siteUrl, ...signIn, hasPassword: made_by === undefined }));
}
