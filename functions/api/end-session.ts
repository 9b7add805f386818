import type { UserPlan } from '../../schemas/rows/plan.ts';
import { BROWSER_KEY } from '../../schemas/rows/browser-session.ts';
import { endpoint } from '../../schemas/routes/end-session.ts';
import { endEverySession } from '../accounts/end-sessions.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { type AppSessionsTable, appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { type BrowserSessions, browserSessions } from '../adapters/dynamodb/browser-sessions.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  sessionUser: Pick<SessionUser, 'profile' | 'endSessions'>;
  planTable: Pick<PlansTable, 'read'>;
  appSessions: Pick<AppSessionsTable, 'of' | 'remove'>;
  browsers: Pick<BrowserSessions, 'read' | 'remove' | 'signOut'>;
  sessionEnds: SessionEnds;
}

/**
 * Ends one session of the caller's account, or all. An app's ends with its item, which its next refresh
 * needs. A browser's is refused by our API from then on; the site in that browser then signs out, which
 * revokes its refresh token. Success too if the session is over already.
 *
 * A browser whose session was ended from elsewhere is forgotten: the next sign-in there is mailed.
 */
export const endSession = (dependencies: Dependencies) => {
  const { sessionUser, planTable, appSessions, browsers } = dependencies;
  return route(endpoint, { sessionUser, planTable }, async ({ session }, { user, row, now }) => {
    const user_id = user.id;
    if (session === 'all') {
      await endAll(dependencies, user, now);
      return { all: true };
    }
    if (session === 'this') {
      // The page that signs out revokes its own refresh token.
      const { browsers: known } = await appSessions.of(user_id, now);
      const own = known.find((browser) => browser.session === user.session);
      if (own) await browsers.signOut(own, user.session);
      return { all: false };
    }
    const isApp = !session.startsWith(BROWSER_KEY);
    const browser = isApp ? undefined : await browsers.read({ user_id, id: session });
    if (!browser) {
      await appSessions.remove({ user_id, id: session });
      return { all: false };
    }
    const isNoted = browser.session === undefined || (await noteEnd(dependencies, row, browser.session));
    if (!isNoted) await endAll(dependencies, user, now);
    await browsers.remove(browser);
    return { all: !isNoted };
  });
};

/** Reads the row again if another request has ended a session at the same time. */
async function noteEnd(
  { planTable, sessionEnds: ends }: Dependencies,
  row: UserPlan | undefined,
  session: string,
): Promise<boolean> {
  if (await ends.noteOne(row, session)) return true;
  const latest = row && (await planTable.read(row.id));
  return latest?.ended_sessions !== row?.ended_sessions && ends.noteOne(latest, session);
}

async function endAll(dependencies: Dependencies, user: User, now: Date): Promise<void> {
  const { appSessions, browsers } = dependencies;
  await endEverySession(dependencies, user, now);
  const sessions = await appSessions.of(user.id, now);
  await Promise.all([
    ...sessions.apps.map((app) => appSessions.remove(app)),
    ...sessions.browsers
      .filter(({ session }) => session !== user.session)
      .map((browser) => browsers.remove(browser)),
  ]);
}

export const handler = withEnvironment(endpoint, (environment) =>
  endSession({
    sessionUser: cognitoSessionUser(),
    planTable: plansTable(environment.USER_PLANS_TABLE),
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
    browsers: browserSessions(environment.APP_SESSIONS_TABLE),
    sessionEnds: sessionEnds(environment.USER_PLANS_TABLE),
  }),
);
