import type { UserPlan } from '../../schemas/rows/plan.ts';
import { BROWSER_KEY } from '../../schemas/rows/app-session.ts';
import { endpoint } from '../../schemas/routes/end-session.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { browsers, planTable, takeBackTables } from '../adapters/tables.ts';
import { cognitoSessionUser } from '../adapters/cognito/session-user.ts';
import { takeBack } from '../accounts/take-back.ts';
import type { User } from '../runtime/read-request.ts';
import { route } from '../runtime/route.ts';
import type { Made } from '../runtime/with-environment.ts';

const adapters = { sessionUser: cognitoSessionUser, ...takeBackTables, planTable, browsers, pool: userPool };
type Dependencies = Made<typeof adapters>;

/**
 * Ends one session of the caller's account, or all. An app's ends with its item, which its next refresh
 * needs. A browser's is refused by our API from then on; the site there then signs out. The browser is
 * forgotten, so that the next sign-in there is mailed. Success too if the session is over already.
 */
export const handler = route(endpoint, adapters, async ({ session }, { user, row, now }, dependencies) => {
  const user_id = user.id;
  if (session === 'all') {
    await endAll(dependencies, user, now);
    return { all: true };
  }
  if (session === 'this') {
    // The page that signs out revokes its own refresh token.
    const { browsers: known } = await dependencies.appSessions.of(user_id, now);
    const own = known.find((browser) => browser.session === user.session);
    if (own) await dependencies.browsers.signOut(own, user.session);
    return { all: false };
  }
  const isApp = !session.startsWith(BROWSER_KEY);
  const browser = isApp ? undefined : await dependencies.browsers.read({ user_id, id: session });
  if (!browser) {
    await dependencies.appSessions.remove({ user_id, id: session });
    return { all: false };
  }
  const isNoted = browser.session === undefined || (await noteEnd(dependencies, row, browser.session));
  if (!isNoted) await endAll(dependencies, user, now);
  await dependencies.browsers.remove(browser);
  return { all: !isNoted };
});

/** Reads the row again if another request has ended a session at the same time. */
async function noteEnd(
  { moments: ends, ...dependencies }: Dependencies,
  row: UserPlan | undefined,
  session: string,
): Promise<boolean> {
  if (await ends.noteOne(row, session)) return true;
  const latest = row && (await dependencies.planTable.read(row.id));
  return latest?.ended_sessions !== row?.ended_sessions && ends.noteOne(latest, session);
}

/** The caller's browser stays known. */
async function endAll(dependencies: Dependencies, user: User, now: Date): Promise<void> {
  const [account, { browsers: known }] = await Promise.all([
    dependencies.pool.findBySub(user.id),
    dependencies.appSessions.of(user.id, now),
  ]);
  const own = known.find(({ session }) => session === user.session);
  await takeBack(dependencies, { id: user.id, username: account?.username ?? user.id }, own?.id);
}
