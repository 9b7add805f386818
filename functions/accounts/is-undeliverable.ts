import type { Mail } from '../adapters/ses.ts';
import { log } from '../runtime/log.ts';

/**
 * Whether SES suppresses mail to the address, since earlier mail bounced. False if SES doesn't answer: the
 * mail is sent anyway, and the page says what to do if none arrives. SES answers only a few such requests a
 * second.
 */
export async function isUndeliverable(mail: Pick<Mail, 'isSuppressed'>, email: string): Promise<boolean> {
  try {
    return await mail.isSuppressed(email);
  } catch (error) {
    log.error('suppression-not-read', {}, error);
    return false;
  }
}
