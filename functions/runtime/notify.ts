import type { Mail } from '../adapters/ses.ts';
import type { Email } from '../emails/layout.ts';

/**
 * Tells somebody by mail what has happened already. A mail that fails undoes nothing and fails nobody's call: it is
 * logged, and resolves with false, as it does where there is no address. SES repeats the address in its errors, so only
 * their names are logged.
 */
export async function notify(mail: Mail, to: string | undefined, email: Email): Promise<boolean> {
  if (to === undefined) return false;
  try {
    await mail.send(to, email);
    return true;
  } catch (error) {
    const fault = error instanceof Error ? error.name : 'not an error';
    console.error({ message: 'A mail was not sent.', subject: email.subject, fault });
    return false;
  }
}
