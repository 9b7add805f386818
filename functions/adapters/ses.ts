import type { Notice } from '../emails/layout.ts';
import { once } from './once.ts';

/** Sends the mail that Cognito doesn't send. */
export interface Mail {
  /** `to` is one address. */
  send(to: string, notice: Notice): Promise<void>;
}

// Milliseconds. A user waits, and a Cognito trigger has five seconds in all. SES answers within one.
const TIME_LIMIT = 2_500;

const ses = once(async () => {
  const sdk = await import('./ses-sdk.ts');
  return { sdk, client: new sdk.SESv2Client() };
});

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

export function sesMail(settings: { MAIL_FROM: string }): Mail {
  return {
    async send(to, { name, subject, html, text }) {
      const { sdk, client } = await ses();
      const command = new sdk.SendEmailCommand({
        FromEmailAddress: settings.MAIL_FROM,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: utf8(subject), Body: { Html: utf8(html), Text: utf8(text) } } },
        // SES counts by tag, and the local world's gallery tells mails apart by it.
        EmailTags: [{ Name: 'notice', Value: name }],
      });
      await client.send(command, { abortSignal: AbortSignal.timeout(TIME_LIMIT) });
    },
  };
}
