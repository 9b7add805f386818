import type { Mail } from '../adapters/ses.ts';
import type { Notice } from '../emails/layout.ts';
import { attempt } from '../runtime/attempt.ts';

/** Mails a user about something that has happened. Resolves with whether it was sent: a failure is logged. */
export async function notify(mail: Pick<Mail, 'send'>, to: string | undefined, notice: Notice) {
  if (to === undefined) return false;
  const sent = await attempt('mail-not-sent', { subject: notice.subject }, async () => {
    await mail.send(to, notice);
    return true;
  });
  return sent ?? false;
}
