import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/environment.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  plans: Pick<PlansTable, 'open'>;
  mail: Mail;
  users: (poolId: string) => Pick<UserPool, 'endSessions'>;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Cognito's post-confirmation trigger. Creates the Free plan of a new account. After a password reset it ends
 * all sessions and mails the owner: a stolen session may be the reason for the reset, and Cognito ends none.
 * The first session of the new password begins later, because Cognito waits for the trigger.
 *
 * Cognito may call it several times for one event. An existing row stays as it is, and a second mail does no
 * harm. The reset has happened by now, so a failure here is logged and not thrown.
 */
export const handlePostConfirmation =
  ({ plans, mail, users, siteUrl }: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PostConfirmationTriggerEvent): Promise<PostConfirmationTriggerEvent> => {
    const { sub, email } = event.request.userAttributes;
    switch (event.triggerSource) {
      case 'PostConfirmation_ConfirmSignUp':
        if (sub) await plans.open(sub, clock());
        break;
      case 'PostConfirmation_ConfirmForgotPassword':
        // In parallel: the trigger has five seconds for both.
        await Promise.all([
          endSessions(users(event.userPoolId), event.userName),
          notify(mail, email, passwordChangedEmail({ siteUrl, at: clock() })),
        ]);
        break;
    }
    return event;
  };

async function endSessions(pool: Pick<UserPool, 'endSessions'>, username: string): Promise<void> {
  try {
    await pool.endSessions(username);
  } catch (error) {
    log.error('sessions-not-ended', { user: username }, error);
  }
}

export const handler = withEnvironment(backgroundFunctions['triggers/post-confirmation'], (environment) =>
  handlePostConfirmation({
    plans: plansTable(environment.PLANS_TABLE),
    mail: sesMail(environment),
    users: cognitoUserPool,
    siteUrl: environment.SITE_URL,
  }),
);
