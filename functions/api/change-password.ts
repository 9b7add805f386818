import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { environment } from '../runtime/environment.ts';
import { notify } from '../runtime/notify.ts';
import { route } from '../runtime/route.ts';

/**
 * Through our API and not straight from the browser to Cognito: Cognito tells nobody that a password was changed, and leaves
 * all sessions running. Ends them all, the caller's too, who signs in again with the new password.
 */
export const changePassword = ({
  accounts,
  mail,
  siteUrl,
}: {
  accounts: Accounts;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}) =>
  route(api['change-password'], async ({ currentPassword, newPassword }, { user, now }) => {
    // Asked for first: the token may not outlive the change.
    const email = await accounts.emailOf(user.accessToken);
    await accounts.changePassword(user.accessToken, { current: currentPassword, proposed: newPassword });
    // After the change: a session that began with the old password in between is ended too.
    const sessionsEnded = await endSessions(accounts, user.accessToken);
    await notify(mail, email, passwordChangedEmail({ siteUrl, at: now, sessionsEnded }));
    return { success: true as const, sessionsEnded };
  });

/** A failure here must not look like one of the change, which has taken place. */
async function endSessions(accounts: Accounts, accessToken: string): Promise<boolean> {
  try {
    await accounts.endSessions(accessToken);
    return true;
  } catch (error) {
    const fault = error instanceof Error ? error.name : 'not an error';
    console.error({ message: 'Sessions outlive a change of password.', fault });
    return false;
  }
}

const settings = environment('mail', 'site');
export const handler = changePassword({ accounts, mail: sesMail(settings), siteUrl: settings.SITE_URL });
