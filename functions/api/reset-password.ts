import { endpoint } from '../../schemas/routes/reset-password.ts';
import { accountPool } from '../adapters/cognito/account-pool.ts';
import { addresses, notices, planTable, takeBackTables } from '../adapters/tables.ts';
import { linkAdapters } from '../notices/notice-adapters.ts';
import { setPasswordOf } from '../accounts/open-account.ts';
import { readProof } from '../accounts/read-proof.ts';
import { takeBack } from '../accounts/take-back.ts';
import { takeOffProviders } from '../accounts/take-off-providers.ts';
import { updateAddressChange } from '../accounts/update-address-change.ts';
import { hasPassword } from '../domain/account-linking.ts';
import { stopped } from '../domain/address-change.ts';
import { mailPasswordChanged } from '../notices/mail-password-changed.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

/**
 * Gives an account to the reader of its mailbox: stops a waiting change of address, takes off every provider
 * with another address and the one that the link names, sets the password, takes back everything older, and
 * mails the owner. Every step is safe to repeat, and the link works until all are done. It opens the account
 * that has the address now, and confirms one that waits for that.
 */
export const handler = route(
  endpoint,
  { ...linkAdapters, ...takeBackTables, pool: accountPool, addresses, planTable, notices },
  async ({ access_token, newPassword }, { now }, dependencies) => {
    const { proof, account, row } = (await readProof(dependencies, access_token, 'reset', now)) ?? {};
    if (!proof || !account?.enabled || !hasPassword(account)) throw refusal(endpoint, 'link-invalid');
    const { email, disconnects } = proof;
    const { sub: id, username } = account;
    await updateAddressChange(dependencies.addressChanges, id, (change) => stopped(change, now));
    const removed = await takeOffProviders(dependencies, account, email, now, disconnects);
    await setPasswordOf(dependencies, account, { email, password: newPassword }, now);
    // Mail arrives again.
    const isNewer = (proof.created_at ?? '') >= (row?.mail_bounced_at ?? '');
    if (row?.mail_bounced_at !== undefined && isNewer) await dependencies.planTable.writeAddress(id, email);
    const at = await takeBack(dependencies, { id, username });
    await dependencies.proofs.remove(access_token);
    await mailPasswordChanged(dependencies, { id, username, email }, { at, sessionsEnded: true, removed });
    const ticket = await dependencies.proofs.create({ purpose: 'sign-in', email, account: id }, at);
    return { email, ticket };
  },
);
