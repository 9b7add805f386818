import type { Notice } from '../emails/layout.ts';
import { once } from './once.ts';
import { QUICK } from './request-limits.ts';

// Milliseconds. A user waits, and a Cognito trigger has five seconds in all. SES answers within one second.
const TIME_LIMIT = 2_500;
// Milliseconds. The mail itself must also fit into the time of the same trigger.
const LIST_TIME_LIMIT = 1_000;

const ses = once(async () => {
  const sdk = await import('./ses-sdk.ts');
  return { sdk, client: new sdk.SESv2Client(QUICK) };
});

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

/**
 * Whether the address is on the suppression list of our account at SES, after a permanent bounce. SES sends
 * it no mail, neither ours nor Cognito's. Rejects after a second, or if SES refuses to say.
 */
export async function isSuppressed(email: string): Promise<boolean> {
  const { sdk, client } = await ses();
  const command = new sdk.GetSuppressedDestinationCommand({ EmailAddress: email });
  try {
    await client.send(command, { abortSignal: AbortSignal.timeout(LIST_TIME_LIMIT) });
    return true;
  } catch (error) {
    if (error instanceof sdk.NotFoundException) return false;
    throw error;
  }
}

/** Sends the mail that Cognito doesn't send. */
export const sesMail = (settings: { MAIL_FROM: string }) => ({
  isSuppressed,

  /** Takes the address off that list. */
  async unsuppress(email: string) {
    const { sdk, client } = await ses();
    const command = new sdk.DeleteSuppressedDestinationCommand({ EmailAddress: email });
    try {
      await client.send(command, { abortSignal: AbortSignal.timeout(TIME_LIMIT) });
    } catch (error) {
      if (!(error instanceof sdk.NotFoundException)) throw error;
    }
  },

  /** `to` is one address. Resolves if SES accepts the mail, which it does for a suppressed address too. */
  async send(to: string, { name, subject, html, text, user }: Notice) {
    const { sdk, client } = await ses();
    const command = new sdk.SendEmailCommand({
      FromEmailAddress: settings.MAIL_FROM,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: utf8(subject), Body: { Html: utf8(html), Text: utf8(text) } } },
      // SES's events include the tags.
      EmailTags: [
        { Name: 'notice', Value: name },
        ...(user === undefined ? [] : [{ Name: 'user', Value: user }]),
      ],
    });
    await client.send(command, { abortSignal: AbortSignal.timeout(TIME_LIMIT) });
  },
});
export type Mail = ReturnType<typeof sesMail>;
