import type { AddressLimits } from '../adapters/dynamodb/address-limits.ts';
import type { Mail } from '../adapters/ses.ts';
import { attempt } from '../runtime/attempt.ts';

export interface CountedMailDependencies {
  limits: AddressLimits;
  /** Absent: SES isn't asked, as for mail to the proved address of an account. */
  mail?: Pick<Mail, 'isSuppressed'> | undefined;
}

/** `spent`: the day's mails are. `undeliverable`: SES suppresses mail to the address, since mail bounced. */
export type MailRefusal = 'spent' | 'undeliverable';

/**
 * Counts a mail that anybody may cause, and says what keeps it from being sent. Every such mail is asked for
 * here. A table or a list that doesn't answer keeps nobody from signing up: the page says what to do if no
 * mail arrives. Counted first: SES answers only a few requests a second, and each answer reveals something
 * about any address.
 */
export async function refusalToMail(
  { limits, mail }: CountedMailDependencies,
  ...[purpose, of, now]: Parameters<AddressLimits['take']>
): Promise<MailRefusal | undefined> {
  const counted = await attempt('limit-not-counted', { kind: purpose }, () => limits.take(purpose, of, now));
  if (counted === false) return 'spent';
  const isSuppressed = mail && (await attempt('suppression-not-read', {}, () => mail.isSuppressed(of)));
  return isSuppressed === true ? 'undeliverable' : undefined;
}
