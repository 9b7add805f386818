import { endpoint } from '../../schemas/routes/delete-account.ts';
import { accountAdapters } from '../accounts/account-adapters.ts';
import { notingAdapters } from '../accounts/note-session.ts';
import { deleteClosedAccount } from '../accounts/delete-closed-account.ts';
import { closingUntil } from '../domain/closing.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { route } from '../runtime/route.ts';

const adapters = { ...notingAdapters, ...accountAdapters };

/**
 * Deletes the caller's account: first closes the row, which accepts no new customer or checkout. After a
 * failed step, the user can try again. With administrator rights: the session may end meanwhile.
 */
export const handler = route(endpoint, adapters, async (_, { user, now }, dependencies) => {
  const { planTable, pool } = dependencies;
  requireRecentSignIn(user, now);
  const account = await pool.findBySub(user.id);
  const username = account?.username ?? user.id;
  const { subscriptionEnded, mailSent } = await deleteClosedAccount(
    dependencies,
    {
      row: await planTable.close(user.id, closingUntil(now)),
      user: account,
      deleteUser: async () => {
        // A provider's account gets the same user name when its user returns.
        const latest = await pool.findBySub(user.id);
        return latest?.username === username && pool.remove(username);
      },
      notice: (ended) => accountDeletedEmail({ subscriptionEnded: ended, at: now, wasIdle: false }),
    },
    now,
  );
  return { subscriptionEnded, mailSent };
});
