import { endpoint } from '../../schemas/routes/confirm-sign-up.ts';
import { accountPool } from '../adapters/cognito/account-pool.ts';
import { addresses, planTable, proofs } from '../adapters/tables.ts';
import { finishConfirmation, setPasswordOf } from '../accounts/open-account.ts';
import { readProof } from '../accounts/read-proof.ts';
import { signedUpIn } from '../accounts/signed-up-in.ts';
import { type Account, hasPassword, isUnconfirmed } from '../domain/account-linking.ts';
import { refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';

/**
 * Confirms a sign-up, and answers with a ticket that signs in. The link proves an address, not an account:
 * its holder confirms the account that waits now, or gets a new one. A confirmed account is refused as
 * `already-confirmed`, also to all but one of several requests at once, but not to its own browser.
 */
export const handler = route(
  endpoint,
  { pool: accountPool, addresses, proofs, planTable },
  async ({ email, token, browser, account: chosen }, { now }, dependencies) => {
    const { pool, proofs: links } = dependencies;
    const { proof, account } = (await readProof(dependencies, token, 'sign-up', now, email)) ?? {};
    if (!proof || account?.enabled === false) throw refusal(endpoint, 'link-invalid');
    const ticketFor = async ({ sub }: Account) => ({
      ticket: await links.create({ purpose: 'sign-in', email, account: sub }, now),
    });
    const isHers = account !== undefined && browser !== undefined && signedUpIn(browser, account);
    const isWaiting = account !== undefined && isUnconfirmed(account, email);
    // Our trigger claims the address, opens the row, and discards the password without the browser's secret.
    const confirm = async ({ username }: Account, secret?: string): Promise<boolean> => {
      await pool.verify(username);
      return pool.confirm(username, secret);
    };
    // Without a claim, a confirmation stopped halfway, and the password may be a stranger's.
    const isOpen =
      account !== undefined &&
      !isWaiting &&
      ((await dependencies.addresses.ownerOf(email)) === account.username || !hasPassword(account));
    if (isHers) {
      if (isWaiting) await confirm(account, browser);
      else if (!isOpen) await finishConfirmation(dependencies, account, email, now);
      return ticketFor(account);
    }
    if (isOpen) throw refusal(endpoint, 'already-confirmed');
    if (!chosen) throw refusal(endpoint, 'password-needed');
    if (isWaiting && !(await confirm(account))) throw refusal(endpoint, 'already-confirmed');
    const { name, password } = chosen;
    const opened = account ?? (await pool.create(email, name));
    await setPasswordOf(dependencies, opened, { email, password, name }, now);
    return ticketFor(opened);
  },
);
