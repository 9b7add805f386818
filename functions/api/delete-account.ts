import type { AddressChange } from '../../schemas/rows/address-change.ts';
import { routeLabel } from '../../schemas/routes/endpoint.ts';
import { endpoint } from '../../schemas/routes/delete-account.ts';
import { accountAdapters } from '../accounts/address-adapters.ts';
import { sessionNotes } from '../accounts/note-session.ts';
import { deleteClosedAccount } from '../accounts/delete-closed-account.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import {
  endLease,
  suspendAccount,
  enqueueDeletion,
  type WaitingDependencies,
} from '../accounts/waiting-deletion.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { type Profile, verifiedEmailOf } from '../domain/profile.ts';
import { appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { noChanges, leaseEnded } from '../domain/address-change.ts';
import { closingUntil } from '../domain/closing.ts';
import { deletionRequested, deletionWithdrawn, isEarlierAddress } from '../domain/waiting-deletion.ts';
import { accountDeletedEmail } from '../emails/account-deleted.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { type NoteSession, route, type User } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends WaitingDependencies {
  sessionUser: Pick<SessionUser, 'profile'>;
  noteSession: NoteSession;
}

const trigger = routeLabel(endpoint);

/**
 * Deletes the caller's account. First decides whether the deletion has to wait (`waiting-deletion.ts`). From
 * then on, no change of address comes in between. Then closes the row, which takes on no customer and no
 * checkout. After a failed step, the user can try again.
 */
export const deleteAccount = (dependencies: Dependencies) => {
  const { addressChanges } = dependencies;
  return route(endpoint, dependencies, async (_, { user, profile, now }) => {
    requireRecentSignIn(user, now);
    const { change, turn } = await request(dependencies, user, now);
    if (!change.deletion) {
      return { ...(await deleteNow(dependencies, user, profile, now)), deletesAt: null };
    }
    const deletesAt = change.deletion.due_at;
    // Another request holds the account.
    if (turn === undefined) return { subscriptionEnded: false, mailSent: true, deletesAt };
    const own = verifiedEmailOf(profile);
    // The new address of a change that isn't in the pool yet.
    const email = isEarlierAddress(change, own, now) ? change.current : own;
    try {
      const account = { id: user.id, username: profile.username, email };
      const { wasRunning, mailSent } = await suspendAccount(
        dependencies,
        account,
        change.deletion,
        trigger,
        now,
      );
      return { subscriptionEnded: wasRunning, mailSent, deletesAt };
    } finally {
      await endLease(addressChanges, user.id, turn, now);
    }
  });
};

/**
 * Decides, as the only writer of the account's item, when the account is deleted. Refuses as `not-signed-in`,
 * and takes the request back, if the session has ended meanwhile: by an undo, for example. `turn`: undefined
 * if another request has it.
 */
async function request(
  { addressChanges, sessionUser, tasks }: Dependencies,
  { id, accessToken }: User,
  now: Date,
): Promise<{ change: AddressChange; turn: string | undefined }> {
  await enqueueDeletion({ tasks }, id, now);
  let before = noChanges(id);
  const written = await updateAddressChange(addressChanges, id, (change) => {
    if (change.locked) throw refusal('busy');
    before = change;
    return deletionRequested(change, now);
  });
  const turn = written?.leased_until;
  try {
    await sessionUser.profile(accessToken);
  } catch (error) {
    if (turn !== undefined) {
      // A deletion that another request has decided stays.
      const end = before.deletion ? leaseEnded : deletionWithdrawn;
      await updateAddressChange(addressChanges, id, (change) => end(change, turn, now));
    }
    throw error;
  }
  return { change: written ?? before, turn };
}

/**
 * Deletes the account with administrator rights: the session may end meanwhile, for example by a changed
 * password, and a deletion never stops between Stripe and the user pool for that.
 */
async function deleteNow(
  dependencies: Dependencies,
  { id }: User,
  profile: Profile,
  now: Date,
): Promise<{ subscriptionEnded: boolean; mailSent: boolean }> {
  const { planTable, pool } = dependencies;
  const { username } = profile;
  const { subscriptionEnded, mailSent } = await deleteClosedAccount(
    dependencies,
    {
      row: await planTable.close(id, closingUntil(now)),
      username,
      email: verifiedEmailOf(profile),
      deleteUser: async () => {
        // A provider's account gets the same user name when its user returns.
        const account = await pool.findBySub(id);
        return account?.username === username && pool.remove(username);
      },
      notice: (ended) => accountDeletedEmail({ subscriptionEnded: ended, at: now }),
    },
    now,
  );
  return { subscriptionEnded, mailSent };
}

export const handler = withEnvironment(endpoint, (environment) =>
  deleteAccount({
    ...accountAdapters(environment),
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
    sessionUser: cognitoSessionUser(),
    noteSession: sessionNotes(environment),
    siteUrl: environment.SITE_URL,
  }),
);
