import { backgroundFunctions } from '../../schemas/environment.ts';
import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';

interface Dependencies {
  plans: Pick<PlansTable, 'open'>;
  mail: Mail;
  users: (poolId: string) => Pick<UserPool, 'endSessions'>;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Gives a new account its Free plan, with no expiry. Where the password of an old one was reset, its sessions end and its
 * owner is told: whoever has stolen one is the reason for many a reset, and Cognito leaves them all running. The new
 * password's first session comes after this, because Cognito answers the reset only then.
 *
 * Cognito may call it more than once for the same thing: a row that stands is left alone, and a second mail is better
 * than none. Nothing that fails here must fail the reset, which has taken place by now.
 */
export const afterConfirmation =
  ({ plans, mail, users, siteUrl }: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PostConfirmationTriggerEvent): Promise<PostConfirmationTriggerEvent> => {
    const { sub, email } = event.request.userAttributes;
    switch (event.triggerSource) {
      case 'PostConfirmation_ConfirmSignUp':
        if (sub) await plans.open(sub, clock());
        break;
      case 'PostConfirmation_ConfirmForgotPassword':
        // At the same time: the trigger has five seconds for both.
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
  afterConfirmation({
    plans: plansTable(environment.PLANS_TABLE),
    mail: sesMail(environment),
    users: cognitoUserPool,
    siteUrl: environment.SITE_URL,
  }),
);
