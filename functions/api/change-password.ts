import { endpoint } from '../../schemas/routes/change-password.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { notices, sessionEnds } from '../adapters/tables.ts';
import { endSessions } from '../accounts/end-sessions.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { mailPasswordChanged } from '../notices/mail-password-changed.ts';
import { verifiedEmailOf } from '../domain/profile.ts';
import { route } from '../runtime/route.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const adapters = { ...notingAdapters, ...linkAdapters, sessionEnds, notices };

/**
 * Changes the caller's password, ends all sessions (the caller signs in again with the new password) and
 * mails the user, once for several changes in a row. Cognito's own operation does neither, so the browser
 * doesn't call it directly.
 */
export const changePassword = (dependencies: Made<typeof adapters>) =>
  route(endpoint, dependencies, async (passwords, { user, profile, now }) => {
    const { currentPassword: current, newPassword: proposed } = passwords;
    await dependencies.sessionUser.changePassword(user.accessToken, { current, proposed });
    // The sessions end after the change, to include a session that began with the old password in between.
    const sessionsEnded = await endSessions(dependencies, user, now);
    const owner = { id: user.id, username: profile.username, email: verifiedEmailOf(profile) };
    await mailPasswordChanged(dependencies, owner, { at: now, sessionsEnded });
    return { success: true as const, sessionsEnded };
  });

export const handler = withAdapters(endpoint, adapters, changePassword);
