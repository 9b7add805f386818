import { api } from '../../schemas/api.ts';
import { type Accounts, accounts } from '../adapters/cognito/session-user.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { passwordChangedEmail } from '../emails/password-changed.ts';
import { environment } from '../runtime/environment.ts';
import { notify } from '../runtime/notify.ts';
import { route } from '../runtime/route.ts';

/** Through our API and not straight from the browser to Cognito, because Cognito tells nobody that a password was changed. */
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
    await notify(mail, email, passwordChangedEmail({ siteUrl, at: now }));
    return { success: true as const };
  });

const settings = environment('mail', 'site');
export const handler = changePassword({ accounts, mail: sesMail(settings), siteUrl: settings.SITE_URL });
