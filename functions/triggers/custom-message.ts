import type { CustomMessageTriggerEvent } from 'aws-lambda';
import { confirmationEmail } from '../emails/confirmation.ts';
import type { Email } from '../emails/layout.ts';
import { resetEmail } from '../emails/reset.ts';
import { environment } from '../runtime/environment.ts';

/** Writes the mail Cognito is about to send, in our words; mail we have no words for goes out in Cognito's. */
export const writeMessage =
  ({ siteUrl }: { siteUrl: string }) =>
  (event: CustomMessageTriggerEvent): Promise<CustomMessageTriggerEvent> => {
    const email = emailFor(event, siteUrl);
    if (email) {
      event.response.emailSubject = email.subject;
      event.response.emailMessage = email.html;
    }
    return Promise.resolve(event);
  };

function emailFor(event: CustomMessageTriggerEvent, siteUrl: string): Email | undefined {
  const { codeParameter: code, userAttributes } = event.request;
  switch (event.triggerSource) {
    case 'CustomMessage_SignUp':
    case 'CustomMessage_ResendCode':
      return confirmationEmail({
        siteUrl,
        code,
        email: String(userAttributes['email']),
      });
    case 'CustomMessage_ForgotPassword':
      return resetEmail({ siteUrl, code, userName: event.userName });
    default:
      return undefined;
  }
}

const settings = environment('site');
export const handler = writeMessage({ siteUrl: settings.SITE_URL });
