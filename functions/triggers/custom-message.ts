import { backgroundFunctions } from '../../schemas/environment.ts';
import type { CustomMessageTriggerEvent } from 'aws-lambda';
import { confirmationEmail } from '../emails/confirmation.ts';
import type { Email } from '../emails/layout.ts';
import { resetEmail } from '../emails/reset.ts';
import { log } from '../runtime/log.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** Told to the caller: Cognito answers with what a trigger throws. */
class MessageRefused extends Error {}

const ADDRESS_IS_FIXED = 'The e-mail address of an account cannot be changed or verified this way.';

/**
 * Writes the mail Cognito is about to send, in our words; mail we have no words for goes out in Cognito's.
 *
 * Refuses the codes that change an account's address. For these an access token is enough, and a password
 * reset at the new address would then turn a stolen token into the whole account. Cognito keeps the old
 * address until a code proves the new one, and after this refusal nobody has a code.
 */
export const writeMessage =
  ({ siteUrl }: { siteUrl: string }) =>
  async (event: CustomMessageTriggerEvent): Promise<CustomMessageTriggerEvent> => {
    try {
      const email = emailFor(event, siteUrl);
      if (email) {
        event.response.emailSubject = email.subject;
        event.response.emailMessage = email.html;
      }
      return event;
    } catch (error) {
      // The alarm on this function subtracts these lines from its errors.
      if (error instanceof MessageRefused) {
        log.info('code-refused', { triggerSource: event.triggerSource });
      }
      throw error;
    }
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
    case 'CustomMessage_UpdateUserAttribute':
    case 'CustomMessage_VerifyUserAttribute':
      throw new MessageRefused(ADDRESS_IS_FIXED);
    default:
      return undefined;
  }
}

export const handler = withEnvironment(backgroundFunctions['triggers/custom-message'], (environment) =>
  writeMessage({ siteUrl: environment.SITE_URL }),
);
