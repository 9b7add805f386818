import { accountRows, appSessions, browsers, limits } from '../adapters/tables.ts';
import { sesMail } from '../adapters/ses.ts';
import { cognitoSessionUser } from '../adapters/cognito/session-user.ts';
import type { Sessions } from '../adapters/dynamodb/app-sessions-table.ts';
import { browserKind } from '../domain/browser-kind.ts';
import { browserUsed } from '../domain/browser-session.ts';
import type { NoteSession } from '../runtime/read-session.ts';
import { type Made, made, siteUrl } from '../runtime/with-environment.ts';
import { browserCookie, browserId, browserToken } from './browser-cookie.ts';

const adapters = { appSessions, browsers, limits, mail: sesMail, siteUrl };

/** The sessions of an account, after the caller's is noted. */
export interface NotedSessions extends Sessions {
  /** The id of the caller's browser. */
  own: string;
}

/**
 * Notes the use of the caller's browser. Mails the owner once about a browser that the account never had, if
 * it has had another browser or an app. The table is read while the row confirms the session.
 */
export const noteSession =
  (dependencies: Made<typeof adapters>): NoteSession<NotedSessions> =>
  async ({ user, now, cookies, header }, confirmed) => {
    const [{ apps, browsers: known }, account] = await Promise.all([
      dependencies.appSessions.of(user.id, now),
      confirmed,
    ]);
    const { session, signedInAt } = user;
    const token = browserToken(cookies.sent, user.accessToken);
    const kind = browserKind(header('user-agent'));
    const ofCookie = browserId(token);
    // The second: this session's item, in a browser that has lost the cookie or accepts none.
    const before =
      known.find(({ id }) => id === ofCookie) ?? known.find((browser) => browser.session === session);
    const own = before?.id ?? ofCookie;
    if (own === ofCookie) cookies.set.push(browserCookie(token));
    const used = browserUsed(before, { session, signedInAt }, { user_id: user.id, id: own, kind }, now);
    if (used && before) await dependencies.browsers.update(used);
    const isNew = used !== undefined && !before && (await dependencies.browsers.add(used));
    if (isNew && apps.length + known.length > 0) {
      const { mailNewSignIn } = await import('./mail-new-sign-in.ts');
      await mailNewSignIn(dependencies, account, { kind, at: signedInAt }, now);
    }
    const current = used ?? before;
    const others = known.filter(({ id }) => id !== own);
    return { apps, browsers: current ? [current, ...others] : others, own };
  };

/** The adapters of a route that notes sessions and needs no more of the row than their ends. */
export const notingAdapters = {
  sessionUser: cognitoSessionUser,
  planTable: accountRows,
  noteSession: (of: Record<'APP_SESSIONS_TABLE' | 'LIMITS_TABLE' | 'MAIL_FROM' | 'SITE_URL', string>) =>
    noteSession(made(adapters, of)),
};
