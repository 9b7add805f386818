import type { Mail } from '../adapters/ses.ts';
import { log } from '../runtime/log.ts';

/**
 * Whether mail to the address would not be sent, since earlier mail came back. False if SES doesn't say: the
 * mail is then tried, and the page says what to do if none comes. SES answers few such questions a second.
 */
export async function comesBack(mail: Pick<Mail, 'isSuppressed'>, email: string): Promise<boolean> {
  try {
    return await mail.isSuppressed(email);
  } catch (error) {
    log.error('suppression-not-read', {}, error);
    return false;
  }
}
