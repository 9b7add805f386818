import type { CustomMessageTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/environment.ts';
import { SIGN_UP_AGAIN, triggerRefusals } from '../../schemas/trigger-refusals.ts';
import { confirmationEmail } from '../emails/confirmation.ts';
import type { Email } from '../emails/layout.ts';
import { resetEmail } from '../emails/reset.ts';
import { log } from '../runtime/log.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** Cognito answers the caller with what a trigger throws. */
class MessageRefused extends Error {}

const ADDRESS_CHANGE_REFUSED = 'The e-mail address of an account cannot be changed or verified this way.';

interface Dependencies {
  /** The site's origin. */
  siteUrl: string;
  /**
   * Whether the pool sends through SES. If not, Cognito's own text goes out, with the code and without a
   * link: an earlier edition of the developer guide says that Cognito answers our text with
   * `InvalidLambdaResponseException` then, and nobody could sign up.
   */
  sendsThroughSes: boolean;
  /** Whether SES doesn't mail the address any more. */
  comesBack: (email: string) => Promise<boolean>;
  /** Deletes an account that was never confirmed. Resolves with whether it is gone. */
  removeUnconfirmed: (poolId: string, username: string) => Promise<boolean>;
}

/**
 * Cognito's custom-message trigger. Writes the subject and text of the mail that Cognito is about to send.
 * Mail of another kind goes out with Cognito's default text.
 *
 * Refuses the codes that change an account's address (.github/decisions/0022-email-address-changes.md): with
 * a stolen access token and a password reset at the new address, a thief would own the account. Cognito keeps
 * the old address until the code is entered, and a refused code is never sent.
 *
 * A new sign-up code that is asked for with `SIGN_UP_AGAIN` is refused too, and its account deleted. Another
 * code is refused for an address that SES doesn't mail any more. A reset isn't: to refuse it would tell
 * anybody that the address has an account.
 */
export const handleCustomMessage =
  ({ siteUrl, sendsThroughSes, comesBack, removeUnconfirmed }: Dependencies) =>
  async (event: CustomMessageTriggerEvent): Promise<CustomMessageTriggerEvent> => {
    try {
      if (isSignUpAgain(event)) {
        const isGone = await removeUnconfirmed(event.userPoolId, event.userName);
        throw new MessageRefused(isGone ? triggerRefusals.signUpAgain : triggerRefusals.addressTaken);
      }
      if (sendsThroughSes && isCodeAgain(event) && (await comesBack(addressOf(event)))) {
        throw new MessageRefused(triggerRefusals.mailCameBack);
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

/** Whether a new sign-up code is asked for. Cognito sends these to unconfirmed accounts only. */
const isCodeAgain = ({ triggerSource }: CustomMessageTriggerEvent): boolean =>
  triggerSource === 'CustomMessage_ResendCode';

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
    comesBack: async (email) => {
      // On demand: most mails ask for none of this.
      const [{ comesBack }, { isSuppressed }] = await Promise.all([
        import('../accounts/comes-back.ts'),
        import('../adapters/ses.ts'),
      ]);
      return comesBack({ isSuppressed }, email);
    },
    removeUnconfirmed: async (poolId, username) => {
      // On demand: other mails need neither the pool nor a table.
      const { removeInPool } = await import('../accounts/sign-up-again.ts');
      return removeInPool(environment.ADDRESSES_TABLE, poolId, username);
    },
  }),
);
