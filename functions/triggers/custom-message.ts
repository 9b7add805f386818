import type { CustomMessageTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { SIGN_UP_AGAIN, triggerRefusals } from '../../schemas/trigger-refusals.ts';
import { confirmationEmail } from '../emails/confirmation.ts';
import type { Email } from '../emails/layout.ts';
import { resetEmail } from '../emails/reset.ts';
import { log } from '../runtime/log.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** A refusal. Cognito sends the caller the message that a trigger throws. */
class MessageRefused extends Error {}

const ADDRESS_CHANGE_REFUSED = 'The email address of an account cannot be changed or verified this way.';

interface Dependencies {
  /** The site's origin. */
  siteUrl: string;
  /**
   * Whether the pool sends through SES. If not, Cognito's own text goes out, with the code and without a
   * link: according to an earlier edition of the developer guide, Cognito would answer our text with
   * `InvalidLambdaResponseException`, and nobody could sign up.
   */
  sendsThroughSes: boolean;
  /** Whether SES suppresses mail to the address. */
  isUndeliverable: (email: string) => Promise<boolean>;
  /** Counts what anybody can cause, and says whether the address's limit for the day allows it. */
  isWithinLimit: (kind: 'mail' | 'removal', email: string) => Promise<boolean>;
  /** Deletes an account that was never confirmed. Resolves with whether the account is gone. */
  removeUnconfirmed: (poolId: string, username: string) => Promise<boolean>;
}

/**
 * Cognito's custom-message trigger. Writes the subject and text of the mail that Cognito is about to send.
 * Any other kind of mail goes out with Cognito's default text.
 *
 * Refuses the codes that change an account's address (.github/decisions/0031-change-of-address.md): with a
 * stolen access token and a password reset at the new address, a thief would own the account. Cognito keeps
 * the old address until the code is entered, and a refused code is never sent.
 *
 * Another code and a password reset are refused after the day's mails to the address, unless a function of
 * ours asks. The pre-sign-up trigger has counted the mail of a sign-up.
 *
 * A request for a new sign-up code with `SIGN_UP_AGAIN` is refused too, and the account deleted. A new code
 * is also refused for an address that SES suppresses. A password reset isn't: a refusal would tell anyone
 * that the address has an account.
 */
export const handleCustomMessage =
  ({ siteUrl, sendsThroughSes, isUndeliverable, isWithinLimit, removeUnconfirmed }: Dependencies) =>
  async (event: CustomMessageTriggerEvent): Promise<CustomMessageTriggerEvent> => {
    try {
      if (isSignUpAgain(event)) {
        if (!(await isWithinLimit('removal', addressOf(event)))) {
          throw new MessageRefused(triggerRefusals.mailsSpent);
        }
        const isGone = await removeUnconfirmed(event.userPoolId, event.userName);
        throw new MessageRefused(isGone ? triggerRefusals.signUpAgain : triggerRefusals.addressTaken);
      }
      if (sendsThroughSes && isCodeAgain(event) && (await isUndeliverable(addressOf(event)))) {
        throw new MessageRefused(triggerRefusals.undeliverableAddress);
      }
      if (isForAnybody(event) && !(await isWithinLimit('mail', addressOf(event)))) {
        throw new MessageRefused(triggerRefusals.mailsSpent);
      }
      const email = emailFor(event, siteUrl);
      if (email && sendsThroughSes) {
        event.response.emailSubject = email.subject;
        event.response.emailMessage = email.html;
      }
      return event;
    } catch (error) {
      // The alarm on this function subtracts refusals from its errors.
      if (error instanceof MessageRefused) {
        log.info('code-refused', { triggerSource: event.triggerSource });
      }
      throw error;
    }
  };

/** Whether the user asked for a new sign-up code. Cognito sends such codes only to unconfirmed accounts. */
const isCodeAgain = ({ triggerSource }: CustomMessageTriggerEvent): boolean =>
  triggerSource === 'CustomMessage_ResendCode';

/** Whether anybody may have caused the mail. Calls of our functions have no client. */
const isForAnybody = (event: CustomMessageTriggerEvent): boolean =>
  (isCodeAgain(event) || event.triggerSource === 'CustomMessage_ForgotPassword') &&
  event.callerContext.clientId !== 'CLIENT_ID_NOT_APPLICABLE';

const isSignUpAgain = (event: CustomMessageTriggerEvent): boolean =>
  isCodeAgain(event) && event.request.clientMetadata?.['signUpAgain'] === SIGN_UP_AGAIN.signUpAgain;

const addressOf = ({ request }: CustomMessageTriggerEvent): string => String(request.userAttributes['email']);

function emailFor(event: CustomMessageTriggerEvent, siteUrl: string): Email | undefined {
  const { codeParameter: code } = event.request;
  switch (event.triggerSource) {
    case 'CustomMessage_SignUp':
    case 'CustomMessage_ResendCode':
      return confirmationEmail({ siteUrl, code, email: addressOf(event) });
    case 'CustomMessage_ForgotPassword':
      return resetEmail({ siteUrl, code, userName: event.userName });
    case 'CustomMessage_UpdateUserAttribute':
    case 'CustomMessage_VerifyUserAttribute':
      throw new MessageRefused(ADDRESS_CHANGE_REFUSED);
    default:
      return undefined;
  }
}

export const handler = withEnvironment(backgroundFunctions['triggers/custom-message'], (environment) =>
  handleCustomMessage({
    siteUrl: environment.SITE_URL,
    sendsThroughSes: environment.SENDS_THROUGH_SES === 'true',
    // Imported on demand: the mail of a sign-up needs neither SES nor the pool nor a table.
    isUndeliverable: async (email) =>
      (await import('../accounts/resent-code.ts')).isUndeliverableBySes(email),
    isWithinLimit: async (kind, email) =>
      (await import('../accounts/resent-code.ts')).isWithinLimitOf(
        environment.ADDRESS_CHANGES_TABLE,
        kind,
        email,
      ),
    removeUnconfirmed: async (poolId, username) =>
      (await import('../accounts/resent-code.ts')).removeInPool(
        environment.ADDRESSES_TABLE,
        poolId,
        username,
      ),
  }),
);
