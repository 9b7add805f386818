import { endpoint } from '../../schemas/routes/change-password.ts';
import { endSessions, type EndSessionsDependencies } from '../accounts/end-sessions.ts';
import { sessionNotes } from '../accounts/note-session.ts';
import { mailPasswordChanged, type PasswordMailDependencies } from '../notices/mail-password-changed.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { verifiedEmailOf } from '../domain/profile.ts';
import { noticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { proofsTable } from '../adapters/dynamodb/proofs-table.ts';
import { sesMail } from '../adapters/ses.ts';
import { type NoteSession, route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends PasswordMailDependencies, EndSessionsDependencies {
  sessionUser: SessionUser;
  sessionEnds: SessionEnds;
  noteSession: NoteSession;
}

/**
 * Changes the caller's password, ends all sessions (the caller signs in again with the new password) and
 * mails the user, once for several changes in a row. Cognito's own operation does neither, so the browser
 * doesn't call it directly.
 */
export const changePassword = ({ sessionUser, sessionEnds: ends, noteSession, ...mailing }: Dependencies) =>
  route(
    endpoint,
    { sessionUser, planTable: ends, noteSession },
    async (passwords, { user, profile, now }) => {
      const { currentPassword, newPassword } = passwords;
      await sessionUser.changePassword(user.accessToken, { current: currentPassword, proposed: newPassword });
      // The sessions end after the change, to include a session that began with the old password in between.
      const sessionsEnded = await endSessions({ sessionUser, sessionEnds: ends }, user, now);
      const owner = { id: user.id, username: profile.username, email: verifiedEmailOf(profile) };
      await mailPasswordChanged(mailing, owner, { at: now, sessionsEnded });
      return { success: true as const, sessionsEnded };
    },
  );

export const handler = withEnvironment(endpoint, (environment) =>
  changePassword({
    sessionUser: cognitoSessionUser(),
    sessionEnds: sessionEnds(environment.USER_PLANS_TABLE),
    noteSession: sessionNotes(environment),
    notices: noticeLimits(environment.USER_PLANS_TABLE),
    proofs: proofsTable(environment.PROOFS_TABLE, environment.PROOFS_SECRET_ID),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
