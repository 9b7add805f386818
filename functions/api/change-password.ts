import { endpoint } from '../../schemas/routes/change-password.ts';
import { ownPassword } from '../adapters/cognito/own-password.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { notices, takeBackTables } from '../adapters/tables.ts';
import { takeBack } from '../accounts/take-back.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { mailPasswordChanged } from '../notices/mail-password-changed.ts';
import { attempt } from '../runtime/attempt.ts';
import { route } from '../runtime/route.ts';

/**
 * Changes the caller's password, takes back everything older, this session too, and mails the user. Cognito's
 * own operation does neither, and the firewall refuses it.
 */
export const handler = route(
  endpoint,
  { ...notingAdapters, ...linkAdapters, ...takeBackTables, notices, password: ownPassword, pool: userPool },
  async (passwords, { user, account, noted, now }, dependencies) => {
    const { currentPassword: current, newPassword: proposed } = passwords;
    await dependencies.password.change(user.id, { current, proposed });
    // The user name of an account with a password is its `sub`.
    const owner = { id: user.id, username: user.id };
    const taken = await attempt('sessions-not-ended', { user: user.id }, () =>
      takeBack(dependencies, owner, noted.own),
    );
    const about = { at: taken ?? now, sessionsEnded: taken !== undefined, removed: [] };
    await mailPasswordChanged(dependencies, { ...owner, email: account.address }, about);
    return { success: true as const, sessionsEnded: about.sessionsEnded };
  },
);
