import { endpoint } from '../../schemas/routes/change-provider.ts';
import { endSessions, type EndSessionsDependencies } from '../accounts/end-sessions.ts';
import { sessionNotes } from '../accounts/note-session.ts';
import { notify } from '../notices/notify.ts';
import { type LinkDependencies, wayBack } from '../notices/reset-link.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { type AccountPool, cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { cognitoSessionUser, type SessionUser } from '../adapters/cognito/session-user.ts';
import { verifiedEmailOf } from '../domain/profile.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { proofsTable } from '../adapters/dynamodb/proofs-table.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { isOf } from '../domain/account-linking.ts';
import { providerAllowed, providersDisconnected } from '../domain/address-change.ts';
import { providerDisconnectedEmail } from '../emails/provider-disconnected.ts';
import { Refusal, refusalsOf } from '../runtime/refusal.ts';
import { requireRecentSignIn } from '../runtime/require-recent-sign-in.ts';
import { type NoteSession, route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends EndSessionsDependencies, LinkDependencies {
  sessionUser: Pick<SessionUser, 'profile' | 'endSessions'>;
  sessionEnds: SessionEnds;
  noteSession: NoteSession;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  pool: Pick<AccountPool, 'find' | 'unlink'>;
  mail: Pick<Mail, 'send'>;
}

/**
 * Disconnects a provider: its accounts are written down first, so that neither the next sign-in nor one that
 * is under way links them again, and then unlinked. All sessions end, since Cognito doesn't tell which of
 * them came by the provider. Safe to repeat.
 *
 * A way in always stays, whatever else happens at the same time: the provider that made an account can't be
 * disconnected, and an account that was made with a password keeps it.
 *
 * Connecting only allows the provider again. Its next sign-in with the account's address links it.
 */
export const changeProvider = (dependencies: Dependencies) => {
  const { sessionUser, sessionEnds: planTable, noteSession, addressChanges, pool, mail } = dependencies;
  return route(
    endpoint,
    { sessionUser, planTable, noteSession },
    async ({ provider, connected }, { user, profile, now }) => {
      requireRecentSignIn(user, now);
      if (connected) {
        await updateAddressChange(addressChanges, user.id, (change) =>
          providerAllowed(change, provider, now),
        );
        return { sessionsEnded: false };
      }
      const account = await pool.find(profile.username);
      if (!account) throw new Refusal('not-signed-in');
      const email = verifiedEmailOf(profile);
      const identities = account.identities.filter((identity) => identity.provider === provider);
      // The address is the way to a new password.
      if (email === undefined || identities.some((identity) => isOf(identity, account))) {
        throw refusal('provider-stays');
      }
      await updateAddressChange(addressChanges, user.id, (change) =>
        providersDisconnected(change, identities, now),
      );
      for (const identity of identities) await pool.unlink(identity);
      const sessionsEnded = await endSessions(dependencies, user, now);
      if (identities.length === 0) return { sessionsEnded };
      const { username, hasPassword } = profile;
      const url = await wayBack(dependencies, { username, email, hasPassword }, now);
      await notify(mail, email, providerDisconnectedEmail({ provider, url, hasPassword, at: now }));
      return { sessionsEnded };
    },
  );
};

export const handler = withEnvironment(endpoint, (environment) =>
  changeProvider({
    sessionUser: cognitoSessionUser(),
    sessionEnds: sessionEnds(environment.USER_PLANS_TABLE),
    noteSession: sessionNotes(environment),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    pool: cognitoAccountPool(environment.USER_POOL_ID),
    proofs: proofsTable(environment.PROOFS_TABLE, environment.PROOFS_SECRET_ID),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
