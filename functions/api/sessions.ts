import type { AddressChange } from '../../schemas/rows/address-change.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { endpoint } from '../../schemas/routes/sessions.ts';
import { addressChanges, planTable } from '../adapters/tables.ts';
import type { WaysIn } from '../../schemas/shapes/sessions.ts';
import { type NotedSessions, notingAdapters } from '../accounts/note-session.ts';
import { waitingAddressOf, waitingOf } from '../domain/address-change.ts';
import { isSignedIn } from '../domain/browser-session.ts';
import { isSessionEnded } from '../domain/account-moment.ts';
import { route } from '../runtime/route.ts';

export const handler = route(
  endpoint,
  { ...notingAdapters, planTable, addressChanges },
  async (_, { user, account, row, noted, now }, dependencies) => {
    const change = await dependencies.addressChanges.read(user.id);
    const waiting = change && waitingOf(change, row);
    return {
      sessions: listed(noted, row, now),
      waysIn: waysIn(account, change),
      waitingAddress: waiting ? waitingAddressOf(waiting) : null,
    };
  },
);

const waysIn = ({ made_by }: Pick<UserPlan, 'made_by'>, change: AddressChange | undefined): WaysIn => ({
  password: made_by === undefined,
  providers: [...new Set([made_by ?? [], (change?.linked ?? []).map(({ provider }) => provider)].flat())],
});

function listed({ apps, browsers, own }: NotedSessions, row: UserPlan | undefined, now: Date) {
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
