import { endpoint } from '../../schemas/routes/export.ts';
import { addressChanges, appSessions, planTable, waitlist } from '../adapters/tables.ts';
import { stripeBilling } from '../adapters/stripe/stripe-billing.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { accountExport } from '../accounts/account-export.ts';
import { profileOf } from '../domain/account-linking.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

const adapters = {
  ...notingAdapters,
  planTable,
  billing: stripeBilling,
  waitlist,
  addressChanges,
  appSessions,
  pool: userPool,
};

export const handler = route(endpoint, adapters, async (_, { user, row, now }, dependencies) => {
  const account = await dependencies.pool.findBySub(user.id);
  if (!account) throw new Refusal('not-signed-in');
  return accountExport(dependencies, { id: user.id, profile: profileOf(account), row }, now);
});
