import { endpoint } from '../../schemas/routes/reset-password.ts';
import { accountPool } from '../adapters/cognito/account-pool.ts';
import {
  addressChanges,
  addresses,
  appSessions,
  notices,
  planTable,
  sessionEnds,
} from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { noteSessionsEnded } from '../accounts/end-sessions.ts';
import { holderOf } from '../accounts/holder-of.ts';
import { setPasswordOf } from '../accounts/open-account.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { hasPassword } from '../domain/account-linking.ts';
import { providersDisconnected, stopped } from '../domain/address-change.ts';
import { mailPasswordChanged } from '../notices/mail-password-changed.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

const adapters = {
  ...linkAdapters,
  pool: accountPool,
  addresses,
  addressChanges,
  planTable,
  sessionEnds,
  appSessions,
  notices,
};

/**
 * Gives an account to whoever reads its mailbox: stops a waiting change of address, disconnects the provider
 * that the link names, sets the password, ends every session, and mails the owner. Every step is safe to
 * repeat, and the link works until all are done.
 *
 * The link proves an address, so it opens the account that has the address now. An account that waits for its
 * confirmation is confirmed.
 */
export const resetPassword = (dependencies: Made<typeof adapters>) => {
  const { pool } = dependencies;
  return route(endpoint, async ({ access_token, newPassword }, { now }) => {
    const proof = await dependencies.proofs.read(access_token, ['reset'], now);
    const account = proof && (await holderOf(dependencies, proof.email));
    if (!proof || !account?.enabled || !hasPassword(account)) throw refusal('link-invalid');
    const { email, disconnects } = proof;
    const { sub, username } = account;
    await updateAddressChange(dependencies.addressChanges, sub, (change) => stopped(change, now));
    if (disconnects) {
      await updateAddressChange(dependencies.addressChanges, sub, (change) =>
        providersDisconnected(change, [disconnects], now),
      );
      await pool.unlink(disconnects);
    }
    await setPasswordOf(dependencies, account, { email, password: newPassword }, now);
    // After the change, to include a session that began with the old password in between.
    // No browser stays known: a sign-in in whoever's browser it was is mailed.
    await Promise.all([
      pool.endSessions(username),
      noteSessionsEnded(dependencies.sessionEnds, sub, now),
      dependencies.appSessions.removeAll(sub),
    ]);
    await dependencies.proofs.remove(access_token);
    await mailPasswordChanged(dependencies, { id: sub, username, email }, { at: now, sessionsEnded: true });
    return { email };
  });
};

export const handler = withAdapters(endpoint, adapters, resetPassword);
