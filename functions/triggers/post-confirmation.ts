import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { type PoolUsers, poolUsers } from '../adapters/cognito/user-pool.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { environment } from '../runtime/environment.ts';
import { notify } from '../runtime/notify.ts';

interface Dependencies {
  plans: Pick<PlansTable, 'open'>;
  mail: Mail;
  users: (poolId: string) => Pick<PoolUsers, 'endSessions'>;
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

async function endSessions(pool: Pick<PoolUsers, 'endSessions'>, username: string): Promise<void> {
  try {
    await pool.endSessions(username);
  } catch (error) {
    console.error({ message: 'Sessions outlive a reset.', user: username, error: String(error) });
  }
}

const settings = environment('writePlans', 'mail', 'site');
export const handler = afterConfirmation({
  plans: plansTable(settings.PLANS_TABLE),
  mail: sesMail(settings),
  users: poolUsers,
  siteUrl: settings.SITE_URL,
});
