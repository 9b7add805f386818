import type { AccountExport } from '../../schemas/shapes/account-export.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';
import { type Profile, verifiedEmailOf } from '../adapters/cognito/session-user.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { AppSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import type { WaitlistTable } from '../adapters/dynamodb/waitlist-table.ts';
import type { Billing } from '../adapters/stripe/billing.ts';
import { pendingAt } from '../domain/address-change.ts';
import { customerIdOf } from '../domain/plan.ts';
import type { Subscription } from '../domain/subscription.ts';
import { isoFromUnix } from '../domain/unix-time.ts';

export interface ExportDependencies {
  billing: Pick<Billing, 'subscriptionsOf' | 'invoicesOf'>;
  waitlist: Pick<WaitlistTable, 'entryOf'>;
  addressChanges: Pick<AddressChangesTable, 'read'>;
  appSessions: Pick<AppSessionsTable, 'of'>;
}

/**
 * Everything that we store about a user. Complete or refused: one unreadable part fails the call. The schema
 * `AccountExport` takes technical fields off.
 */
export async function accountExport(
  { billing, waitlist, addressChanges, appSessions }: ExportDependencies,
  { id, profile, row }: { id: string; profile: Profile; row: UserPlan | undefined },
  now: Date,
): Promise<AccountExport> {
  const customerId = row && customerIdOf(row);
  // An unverified address may belong to another person on the waitlist.
  const address = verifiedEmailOf(profile);
  const [subscriptions, invoices, entry, change, { apps, browsers }] = await Promise.all([
    customerId ? billing.subscriptionsOf(customerId, row) : [],
    customerId ? billing.invoicesOf(customerId) : [],
    address ? waitlist.entryOf(address) : undefined,
    addressChanges.read(id),
    appSessions.of(id, now),
  ]);
  return {
    exported_at: now.toISOString(),
    account: {
      id,
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
}

const exported = ({ id, status, currentPeriodEnd, endsAt, createdAt, agreement }: Subscription) => ({
  id,
  status,
  current_period_end: isoFromUnix(currentPeriodEnd),
  ends_at: endsAt === undefined ? null : isoFromUnix(endsAt),
  agreed: agreement === undefined ? null : { at: isoFromUnix(createdAt), ...agreement },
});
