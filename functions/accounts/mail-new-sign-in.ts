import type { AddressLimits } from '../adapters/dynamodb/address-limits.ts';
import { type Profile, verifiedEmailOf } from '../domain/profile.ts';
import { newSignInEmail } from '../emails/new-sign-in.ts';
import { notifyAccount, type NotifyDependencies } from '../notices/notify-account.ts';
import { isWithinLimit } from './within-limit.ts';

export interface NewSignInDependencies extends NotifyDependencies {
  limits: AddressLimits;
  /** The site's origin. */
  siteUrl: string;
}

/** Mails an account about a sign-in with an unknown browser, within the day's limit. Never throws. */
export async function mailNewSignIn(
  { limits, siteUrl, ...mailing }: NewSignInDependencies,
  account: { id: string; profile: Profile },
  signIn: { kind: string; at: Date },
  now: Date,
): Promise<void> {
  const { hasPassword } = account.profile;
  const email = verifiedEmailOf(account.profile);
  if (email !== undefined && !(await isWithinLimit(limits, 'sign-in', email, now))) return;
  const notice = (earlier?: Parameters<typeof newSignInEmail>[0]['earlier']) =>
    newSignInEmail({ siteUrl, ...signIn, hasPassword, earlier });
  await notifyAccount(mailing, { id: account.id, email }, notice, now);
}
