import { endpoint } from '../../schemas/routes/export.ts';
import { cognitoSessionUser, type SessionUser, verifiedEmailOf } from '../adapters/cognito/session-user.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { AppSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { storedAppSessions } from '../adapters/dynamodb/stored-app-sessions.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { type WaitlistTable, waitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import type { Subscription } from '../domain/subscription.ts';
import { isoFromUnix } from '../domain/unix-time.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { pendingAt } from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import { route } from '../runtime/route.ts';

interface Dependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  plans: Pick<PlansTable, 'read'>;
  billing: Pick<Billing, 'subscriptionsOf' | 'invoicesOf'>;
  waitlist: Pick<WaitlistTable, 'entryOf'>;
  addressChanges: Pick<AddressChangesTable, 'read'>;
  appSessions: Pick<AppSessionsTable, 'of'>;
}

/** Everything that we store about the caller. Complete or refused: one unreadable part fails the call. */
export const exportAccount = (dependencies: Dependencies) => {
  const { sessionUser, plans, billing, waitlist, addressChanges, appSessions } = dependencies;
  return route(endpoint, { sessionUser, plans }, async (_, { user, profile, row, now }) => {
    const customerId = row && customerIdOf(row);
    // An unverified address may belong to another person on the waitlist.
    const address = verifiedEmailOf(profile);
    const [subscriptions, invoices, entry, change, { apps, browsers }] = await Promise.all([
      customerId ? billing.subscriptionsOf(customerId, row) : [],
      customerId ? billing.invoicesOf(customerId) : [],
      address ? waitlist.entryOf(address) : undefined,
      addressChanges.read(user.id),
      appSessions.of(user.id, now),
    ]);
    return {
      exported_at: now.toISOString(),
      account: {
        id: user.id,
        email: profile.email ?? null,
        email_verified: profile.emailVerified,
        name: profile.name ?? null,
        created_at: row?.created_at ?? null,
        providers: profile.providers,
        providers_taken_off: [...(change?.barred ?? []), ...(change?.disconnected ?? [])],
        has_password: profile.hasPassword,
      },
      address_changes: {
        pending: (change && pendingAt(change, now)?.email) ?? null,
        earlier: change?.earlier.filter(({ of }) => of === undefined) ?? [],
      },
      plan: row ?? null,
      subscriptions: subscriptions.map(exported),
      invoices,
      apps: apps.map(({ redirect_uri, created_at, used_at }) => ({
        address: redirect_uri,
        signed_in_at: created_at,
        used_at,
      })),
      browsers: browsers.map(({ kind, signed_in_at, used_at }) => ({ kind, signed_in_at, used_at })),
      waitlist: entry ?? null,
    };
  });
};

const exported = ({ id, status, currentPeriodEnd, endsAt, createdAt, agreement }: Subscription) => ({
  id,
  status,
  current_period_end: isoFromUnix(currentPeriodEnd),
  ends_at: endsAt === undefined ? null : isoFromUnix(endsAt),
  agreed: agreement === undefined ? null : { at: isoFromUnix(createdAt), ...agreement },
});

export const handler = withEnvironment(endpoint, (environment) =>
  exportAccount({
    sessionUser: cognitoSessionUser(),
    plans: plansTable(environment.PLANS_TABLE),
    billing: stripeBilling(environment),
    waitlist: waitlistTable(environment.WAITLIST_TABLE),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    appSessions: storedAppSessions(environment.APP_SESSIONS_TABLE),
  }),
);
