import type { AppSession } from '../../schemas/rows/app-session.ts';
import type { BrowserSession } from '../../schemas/rows/browser-session.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { endpoint } from '../../schemas/routes/sessions.ts';
import type { ListedSession, WaysIn } from '../../schemas/shapes/sessions.ts';
import { browserCookie, browserId, browserToken } from '../accounts/browser-cookie.ts';
import { notifyAccount } from '../notices/notify-account.ts';
import { isWithinLimit } from '../accounts/within-limit.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { type Profile, verifiedEmailOf } from '../domain/profile.ts';
import { addressLimits, type AddressLimits } from '../adapters/dynamodb/address-limits.ts';
import { type AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { type AppSessionsTable, appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { type BrowserSessions, browserSessions } from '../adapters/dynamodb/browser-sessions.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { storedAddressChanges } from '../adapters/dynamodb/stored-address-changes.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { browserKind } from '../domain/browser-kind.ts';
import { browserUsed, isSignedIn } from '../domain/browser-session.ts';
import { isSessionEnded } from '../domain/ended-session.ts';
import { identityOf } from '../domain/account-linking.ts';
import { newSignInEmail } from '../emails/new-sign-in.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  planTable: Pick<PlansTable, 'read'>;
  appSessions: Pick<AppSessionsTable, 'of'>;
  browsers: Pick<BrowserSessions, 'add' | 'update'>;
  addressChanges: Pick<AddressChangesTable, 'read'>;
  limits: AddressLimits;
  mail: Pick<Mail, 'send'>;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Notes the use of the caller's browser, and lists where the account is signed in, and how. Mails the owner
 * once about a browser that the account never had, if the account has had another browser or an app.
 */
export const listSessions = (dependencies: Dependencies) => {
  const { sessionUser, planTable, appSessions, browsers, limits, siteUrl } = dependencies;
  return route(endpoint, { sessionUser, planTable }, async (_, { user, profile, row, now, ...request }) => {
    const { apps, browsers: known } = await appSessions.of(user.id, now);
    const { session, signedInAt } = user;
    const token = browserToken(request.cookies.sent, user.accessToken);
    const kind = browserKind(request.header('user-agent'));
    const ofCookie = browserId(token);
    // The second: this session's item, in a browser that has lost the cookie or accepts none.
    const before =
      known.find(({ id }) => id === ofCookie) ?? known.find((browser) => browser.session === session);
    const id = before?.id ?? ofCookie;
    if (id === ofCookie) request.cookies.set.push(browserCookie(token));
    const used = browserUsed(before, { session, signedInAt }, { user_id: user.id, id, kind }, now);
    if (used && before) await browsers.update(used);
    const isNew = used !== undefined && !before && (await browsers.add(used));
    const email = verifiedEmailOf(profile);
    if (
      isNew &&
      apps.length + known.length > 0 &&
      (email === undefined || (await isWithinLimit(limits, 'sign-in', email, now)))
    ) {
      await notifyAccount(
        dependencies,
        { id: user.id, email },
        (earlier) =>
          newSignInEmail({ siteUrl, kind, at: signedInAt, hasPassword: profile.hasPassword, earlier }),
        now,
      );
    }
    const current = used ?? before;
    const others = known.filter((browser) => browser.id !== id);
    return {
      sessions: listed({ apps, browsers: current ? [current, ...others] : others, own: id, row, now }),
      waysIn: waysIn(profile),
    };
  });
};

const waysIn = ({ username, hasPassword, providers }: Profile): WaysIn => ({
  password: hasPassword,
  providers: [...new Set([identityOf(username)?.provider ?? [], providers].flat())],
});

function listed({
  apps,
  browsers,
  own,
  row,
  now,
}: {
  apps: AppSession[];
  browsers: BrowserSession[];
  own: string;
  row: UserPlan | undefined;
  now: Date;
}): ListedSession[] {
  const sessions = [
    ...browsers
      .filter((browser) => isSignedIn(browser, row, now))
      .map((browser) => ({
        id: browser.id,
        kind: 'browser' as const,
        name: browser.kind,
        signedInAt: browser.signed_in_at,
        usedAt: browser.used_at,
        isCurrent: browser.id === own,
      })),
    ...apps
      .filter(({ id, created_at }) => !isSessionEnded(row, { session: id, signedInAt: new Date(created_at) }))
      .map((app) => ({
        id: app.id,
        kind: 'app' as const,
        name: app.redirect_uri,
        signedInAt: app.created_at,
        usedAt: app.used_at,
        isCurrent: false,
      })),
  ];
  return sessions.toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.usedAt.localeCompare(a.usedAt),
  );
}

export const handler = withEnvironment(endpoint, (environment) =>
  listSessions({
    sessionUser: cognitoSessionUser(),
    planTable: plansTable(environment.USER_PLANS_TABLE),
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
    browsers: browserSessions(environment.APP_SESSIONS_TABLE),
    addressChanges: storedAddressChanges(environment.ADDRESS_CHANGES_TABLE),
    limits: addressLimits(environment.ADDRESS_CHANGES_TABLE),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
