import type { UserPlan } from '../../schemas/rows/plan.ts';
import { endpoint } from '../../schemas/routes/sessions.ts';
import type { ListedSession, WaysIn } from '../../schemas/shapes/sessions.ts';
import { type NotedSessions, sessionNotes } from '../accounts/note-session.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { waitingAddressOf } from '../domain/address-change.ts';
import { identityOf } from '../domain/account-linking.ts';
import { isSignedIn } from '../domain/browser-session.ts';
import { isSessionEnded } from '../domain/ended-session.ts';
import type { Profile } from '../domain/profile.ts';
import { type NoteSession, route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  planTable: Pick<PlansTable, 'read'>;
  noteSession: NoteSession<NotedSessions>;
  addressChanges: Pick<AddressChangesTable, 'read'>;
}

/** Notes the use of the caller's browser, and lists where the account is signed in, and how. */
export const listSessions = (dependencies: Dependencies) =>
  route(endpoint, dependencies, async (_, { user, profile, row, noted, now }) => {
    const change = await dependencies.addressChanges.read(user.id);
    return {
      sessions: listed(noted, row, now),
      waysIn: waysIn(profile),
      waitingAddress: change?.waiting ? waitingAddressOf(change.waiting) : null,
    };
  });

const waysIn = ({ username, hasPassword, providers }: Profile): WaysIn => ({
  password: hasPassword,
  providers: [...new Set([identityOf(username)?.provider ?? [], providers].flat())],
});

function listed(
  { apps, browsers, own }: NotedSessions,
  row: UserPlan | undefined,
  now: Date,
): ListedSession[] {
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
    noteSession: sessionNotes(environment),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
  }),
);
