import {
  type AppSessionsTable,
  appSessionsTable,
  type Sessions,
} from '../adapters/dynamodb/app-sessions-table.ts';
import { addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { type BrowserSessions, browserSessions } from '../adapters/dynamodb/browser-sessions.ts';
import { sesMail } from '../adapters/ses.ts';
import { browserKind } from '../domain/browser-kind.ts';
import { browserUsed } from '../domain/browser-session.ts';
import type { NoteSession } from '../runtime/route.ts';
import { browserCookie, browserId, browserToken } from './browser-cookie.ts';
import type { NewSignInDependencies } from './mail-new-sign-in.ts';

interface Dependencies extends NewSignInDependencies {
  appSessions: Pick<AppSessionsTable, 'of'>;
  browsers: Pick<BrowserSessions, 'add' | 'update'>;
}

/** The sessions of an account, after the caller's is noted. */
export interface NotedSessions extends Sessions {
  /** The id of the caller's browser. */
  own: string;
}

/**
 * Notes the use of the caller's browser, or of a program that signs in past our site. Mails the owner once
 * about a browser that the account never had, if the account has had another browser or an app.
 *
 * The table is read while Cognito confirms the session. Known sessions are written once a day.
 */
export const noteSession =
  (dependencies: Dependencies): NoteSession<NotedSessions> =>
  async ({ user, now, cookies, header }, confirmed) => {
    const { appSessions, browsers } = dependencies;
    const [{ apps, browsers: known }, profile] = await Promise.all([appSessions.of(user.id, now), confirmed]);
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
    if (used && before) await browsers.update(used);
    const isNew = used !== undefined && !before && (await browsers.add(used));
    if (isNew && apps.length + known.length > 0) {
      const { mailNewSignIn } = await import('./mail-new-sign-in.ts');
      await mailNewSignIn(dependencies, profile, { kind, at: signedInAt }, now);
    }
    const current = used ?? before;
    const others = known.filter(({ id }) => id !== own);
    return { apps, browsers: current ? [current, ...others] : others, own };
  };

/** The adapter for a route that notes sessions. */
export const sessionNotes = (
  environment: Parameters<typeof sesMail>[0] &
    Record<'APP_SESSIONS_TABLE' | 'LIMITS_TABLE' | 'SITE_URL', string>,
) =>
  noteSession({
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
    browsers: browserSessions(environment.APP_SESSIONS_TABLE),
    limits: addressLimits(environment.LIMITS_TABLE),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  });
