import type { AccountExport } from '../../schemas/shapes/account-export.ts';
import type { Uses } from '../adapters/adapters.ts';
import { customerIdOf } from '../domain/plan.ts';
import { standingOf } from '../domain/standing.ts';
import type { Subscription } from '../domain/subscription.ts';
import { isoFromUnix } from '../domain/unix-time.ts';
import { type ExportedAccount, exportedData, type ReadTables } from './personal-data.ts';

/** Everything that we store about a user: one unreadable part fails it. The schema drops technical fields. */
export async function accountExport(
  { billing, ...tables }: ReadTables & Uses<'billing'>,
  account: ExportedAccount,
  now: Date,
): Promise<AccountExport> {
  const { id, profile, row } = account;
  const customerId = row && customerIdOf(row);
  const [subscriptions, invoices, { providers_taken_off, ...data }] = await Promise.all([
    customerId ? billing.subscriptionsOf(customerId, row) : [],
    customerId ? billing.invoicesOf(customerId) : [],
    exportedData(tables, account, now),
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
      providers_taken_off,
      has_password: profile.hasPassword,
    },
    standing: row ? standingOf(row, subscriptions, now) : null,
    subscriptions: subscriptions.map(exported),
    invoices,
    ...data,
  };
}

const exported = ({ id, state, currentPeriodEnd, endsAt, createdAt, agreement }: Subscription) => ({
  id,
  status: state.kind,
  current_period_end: isoFromUnix(currentPeriodEnd),
  ends_at: endsAt === undefined ? null : isoFromUnix(endsAt),
  agreed: agreement === undefined ? null : { at: isoFromUnix(createdAt), ...agreement },
});
