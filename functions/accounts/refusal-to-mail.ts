import { type MailPurpose, mailPurposes } from '../../schemas/product/mail-limits.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { Mail } from '../adapters/ses.ts';
import { attempt } from '../runtime/attempt.ts';

interface Dependencies extends Uses<'limits'> {
  /** Absent: SES isn't asked, as for mail to the proved address of an account. */
  mail?: Pick<Mail, 'isSuppressed'> | undefined;
}

interface CountedMail {
  purpose: MailPurpose;
  /** The mail's address, or instead of an account's address the id of the account or of its browser. */
  of: string;
  /** Whether the user has read that we stopped after a complaint, and asks for the mail all the same. */
  again?: boolean | undefined;
}

/** `spent`: the day's mails are. `complained`: mail was marked as spam. `undeliverable`: mail bounced. */
export type MailRefusal = 'spent' | 'complained' | 'undeliverable';

/**
 * Counts a mail that somebody asks for, and says what keeps it from being sent. A table or a list that
 * doesn't answer blocks nothing: the page says what to do if no mail arrives.
 */
export async function refusalToMail(
  { limits, mail }: Dependencies,
  { purpose, of, again = false }: CountedMail,
  now: Date,
): Promise<MailRefusal | undefined> {
  // Counted first: SES answers a few requests a second, and each reveals something about an address.
  const counted = await attempt('limit-not-counted', { kind: purpose }, () => limits.take(purpose, of, now));
  if (counted === false) return 'spent';
  const [isComplained, isSuppressed] = await Promise.all([
    mailPurposes[purpose].by === 'anybody' &&
      attempt('limit-not-counted', { kind: 'complaint' }, () => limits.isComplained(of, now)),
    mail && attempt('suppression-not-read', {}, () => mail.isSuppressed(of)),
  ]);
  if (isSuppressed) return 'undeliverable';
  if (!isComplained) return undefined;
  if (!again) return 'complained';
  await attempt('limit-not-counted', { kind: 'complaint' }, () => limits.liftComplaint(of));
  return undefined;
}
