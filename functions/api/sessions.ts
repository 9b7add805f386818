import type { UserPlan } from '../../schemas/rows/plan.ts';
import { endpoint } from '../../schemas/routes/sessions.ts';
import { addressChanges, planTable } from '../adapters/tables.ts';
import { cognitoSessionUser } from '../adapters/cognito/session-user.ts';
import type { ListedSession, WaysIn } from '../../schemas/shapes/sessions.ts';
import { type NotedSessions, sessionNotes } from '../accounts/note-session.ts';
import { waitingAddressOf } from '../domain/address-change.ts';
import { identityOf } from '../domain/account-linking.ts';
import { isSignedIn } from '../domain/browser-session.ts';
import { isSessionEnded } from '../domain/ended-session.ts';
import type { Profile } from '../domain/profile.ts';
import { route } from '../runtime/route.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const adapters = { sessionUser: cognitoSessionUser, planTable, noteSession: sessionNotes, addressChanges };

/** Notes the use of the caller's browser, and lists where the account is signed in, and how. */
export const listSessions = (dependencies: Made<typeof adapters>) =>
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

export const handler = withAdapters(endpoint, adapters, listSessions);
