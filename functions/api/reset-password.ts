import { endpoint } from '../../schemas/routes/reset-password.ts';
import { noteSessionsEnded } from '../accounts/end-sessions.ts';
import { holderOf } from '../accounts/holder-of.ts';
import { type OpenDependencies, setPasswordOf } from '../accounts/open-account.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { type AccountPool, cognitoAccountPool } from '../adapters/cognito/account-pool.ts';
import { type AddressChangesTable, addressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { type AppSessionsTable, appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { type Proofs, proofsTable } from '../adapters/dynamodb/proofs-table.ts';
import { noticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import { plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { sesMail } from '../adapters/ses.ts';
import { hasPassword } from '../domain/account-linking.ts';
import { providersDisconnected, stopped } from '../domain/address-change.ts';
import { mailPasswordChanged, type PasswordMailDependencies } from '../notices/mail-password-changed.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

interface Dependencies extends OpenDependencies, PasswordMailDependencies {
  pool: OpenDependencies['pool'] & Pick<AccountPool, 'endSessions' | 'unlink'>;
  addressChanges: Pick<AddressChangesTable, 'read' | 'write'>;
  proofs: Pick<Proofs, 'create' | 'read' | 'remove'>;
  sessionEnds: Pick<SessionEnds, 'noteAll'>;
  appSessions: Pick<AppSessionsTable, 'removeAll'>;
}

/**
 * Gives an account to whoever reads its mailbox: stops a waiting change of address, disconnects the provider
 * that the link names, sets the password, ends every session, and mails the owner. Every step is safe to
 * repeat, and the link works until all are done.
 *
 * The link proves an address, so it opens the account that has the address now. An account that waits for its
 * confirmation is confirmed.
 */
export const resetPassword = (dependencies: Dependencies) => {
  const { pool, addressChanges, proofs, sessionEnds: ends } = dependencies;
  return route(endpoint, async ({ access_token, newPassword }, { now }) => {
    const proof = await proofs.read(access_token, ['reset'], now);
    const account = proof && (await holderOf(dependencies, proof.email));
    if (!proof || !account?.enabled || !hasPassword(account)) throw refusal('link-invalid');
    const { email, disconnects } = proof;
    const { sub, username } = account;
    await updateAddressChange(addressChanges, sub, (change) => stopped(change, now));
    if (disconnects) {
      await updateAddressChange(addressChanges, sub, (change) =>
        providersDisconnected(change, [disconnects], now),
      );
      await pool.unlink(disconnects);
    }
    await setPasswordOf(dependencies, account, { email, password: newPassword }, now);
    // After the change, to include a session that began with the old password in between.
    // No browser stays known: a sign-in in whoever's browser it was is mailed.
    await Promise.all([
      pool.endSessions(username),
      noteSessionsEnded(ends, sub, now),
      dependencies.appSessions.removeAll(sub),
    ]);
    await proofs.remove(access_token);
    await mailPasswordChanged(dependencies, { id: sub, username, email }, { at: now, sessionsEnded: true });
    return { email };
  });
};

export const handler = withEnvironment(endpoint, (environment) =>
  resetPassword({
    pool: cognitoAccountPool(environment.USER_POOL_ID),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    addressChanges: addressChangesTable(environment.ADDRESS_CHANGES_TABLE),
    proofs: proofsTable(environment.PROOFS_TABLE, environment.PROOFS_SECRET_ID),
    planTable: plansTable(environment.USER_PLANS_TABLE),
    sessionEnds: sessionEnds(environment.USER_PLANS_TABLE),
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
    notices: noticeLimits(environment.USER_PLANS_TABLE),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
