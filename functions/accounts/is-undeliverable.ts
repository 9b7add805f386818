import type { Mail } from '../adapters/ses.ts';
import { attempt } from '../runtime/attempt.ts';

/**
 * Whether SES suppresses mail to the address, since earlier mail bounced. False if SES doesn't answer: the
 * mail is sent anyway, and the page says what to do if none arrives. SES answers only a few such requests a
 * second.
 */
export const isUndeliverable = async (mail: Pick<Mail, 'isSuppressed'>, email: string): Promise<boolean> =>
  (await attempt('suppression-not-read', {}, () => mail.isSuppressed(email))) ?? false;
