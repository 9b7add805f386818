import type { CustomMessageTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { asksAgain, triggerRefusals } from '../../schemas/trigger-refusals.ts';
import type { refusalToMailAgain } from '../accounts/resent-code.ts';
import { proofsTable } from '../adapters/dynamodb/proofs-table.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { confirmationEmail } from '../emails/confirmation.ts';
import { log } from '../runtime/log.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** A refusal. Cognito sends the caller the message that a trigger throws. */
class MessageRefused extends Error {}

const CODE_REFUSED = 'An address or a password cannot be changed this way.';

interface Dependencies {
  siteUrl: string;
  /**
   * Whether the pool sends through SES. If not, Cognito's own text goes out, without a link: according to an
   * earlier developer guide, Cognito would answer ours with `InvalidLambdaResponseException`.
   */
  sendsThroughSes: boolean;
  refusalToMail: (mail: Parameters<typeof refusalToMailAgain>[1]) => ReturnType<typeof refusalToMailAgain>;
  /** Makes the token of a link that proves the address. */
  createProof: (email: string) => Promise<string>;
}

/**
 * Cognito's custom-message trigger. Writes the subject and text of the mail that Cognito is about to send.
 * Any other kind of mail goes out with Cognito's default text.
 *
 * Refuses the codes that change an account's address, by which a thief with an access token would own it
 * (.github/decisions/0031-change-of-address.md), and the codes that reset a password: our own links do that.
 *
 * Another mail is refused after the day's mails to the address, and if SES suppresses it. The pre-sign-up
 * trigger has counted the mail of a sign-up.
 */
export const handleCustomMessage =
  ({ siteUrl, sendsThroughSes, refusalToMail, createProof }: Dependencies) =>
  async (event: CustomMessageTriggerEvent): Promise<CustomMessageTriggerEvent> => {
    try {
      const { triggerSource } = event;
      // Cognito sends another mail only to unconfirmed accounts.
      const isAnother = triggerSource === 'CustomMessage_ResendCode';
      if (!isAnother && triggerSource !== 'CustomMessage_SignUp') {
        if (triggerSource.endsWith('Attribute') || triggerSource.endsWith('Password')) {
          throw new MessageRefused(CODE_REFUSED);
        }
        return event;
      }
      const address = String(event.request.userAttributes['email']);
      const again = asksAgain(event.request.clientMetadata);
      const refused = isAnother && (await refusalToMail({ email: address, again, asksSes: sendsThroughSes }));
      if (refused) throw new MessageRefused(triggerRefusals[refused]);
      if (!sendsThroughSes) return event;
      const token = await createProof(asciiLowerCase(address));
      const { codeParameter: code } = event.request;
      const email = confirmationEmail({ siteUrl, code, token, email: address });
      event.response.emailSubject = email.subject;
      event.response.emailMessage = email.html;
      return event;
    } catch (error) {
      // The alarm on this function subtracts refusals from its errors.
      if (error instanceof MessageRefused) {
        log.info('code-refused', { triggerSource: event.triggerSource });
      }
      throw error;
    }
  };

export const handler = withEnvironment(backgroundFunctions['triggers/custom-message'], (environment) => {
  const proofs = proofsTable(environment);
  return handleCustomMessage({
    siteUrl: environment.SITE_URL,
    sendsThroughSes: environment.SENDS_THROUGH_SES === 'true',
    // Imported on demand: the mail of a sign-up doesn't ask SES.
    refusalToMail: async (mail) =>
      (await import('../accounts/resent-code.ts')).refusalToMailAgain(environment.LIMITS_TABLE, mail),
    createProof: (email) => proofs.create({ purpose: 'sign-up', email }, new Date()),
  });
});
