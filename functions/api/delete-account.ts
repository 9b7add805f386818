import { endpoint } from '../../schemas/routes/delete-account.ts';
import { accountAdapters } from '../accounts/address-adapters.ts';
import { sessionNotes } from '../accounts/note-session.ts';
import { deleteClosedAccount, type DeletionDependencies } from '../accounts/delete-closed-account.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import type { PlansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { closingUntil } from '../domain/closing.ts';
import { verifiedEmailOf } from '../domain/profile.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { type NoteSession, route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends DeletionDependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  noteSession: NoteSession;
  planTable: DeletionDependencies['planTable'] & Pick<PlansTable, 'close' | 'read'>;
  pool: Pick<AccountPool, 'findBySub' | 'remove'>;
}

/**
 * Deletes the caller's account: first closes the row, which takes on no customer and no checkout. After a
 * failed step, the user can try again.
 *
 * Deletes with administrator rights: the session may end meanwhile, for example by a changed password, and a
 * deletion never stops between Stripe and the user pool for that.
 */
export const deleteAccount = (dependencies: Dependencies) => {
  const { planTable, pool } = dependencies;
  return route(endpoint, dependencies, async (_, { user, profile, now }) => {
    requireRecentSignIn(user, now);
    const { username } = profile;
    const { subscriptionEnded, mailSent } = await deleteClosedAccount(
      dependencies,
      {
        row: await planTable.close(user.id, closingUntil(now)),
        username,
        email: verifiedEmailOf(profile),
        deleteUser: async () => {
          // A provider's account gets the same user name when its user returns.
          const account = await pool.findBySub(user.id);
          return account?.username === username && pool.remove(username);
        },
        notice: (ended) => accountDeletedEmail({ subscriptionEnded: ended, at: now }),
      },
      now,
    );
    return { subscriptionEnded, mailSent };
  });
};

export const handler = withEnvironment(endpoint, (environment) =>
  deleteAccount({
    ...accountAdapters(environment),
    sessionUser: cognitoSessionUser(),
    noteSession: sessionNotes(environment),
  }),
);
