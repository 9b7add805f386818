import type { Mail } from '../adapters/ses.ts';
import type { Notice } from '../emails/layout.ts';
import { log } from '../runtime/log.ts';

/**
 * Mails a user about something that has already happened. A failure is only logged. Resolves with whether the
 * mail was sent; false for a user without an address.
 */
export async function notify(
  mail: Pick<Mail, 'send'>,
  to: string | undefined,
  notice: Notice,
): Promise<boolean> {
  if (to === undefined) return false;
  try {
    await mail.send(to, notice);
    return true;
  } catch (error) {
    log.error('mail-not-sent', { subject: notice.subject }, error);
    return false;
  }
}
