import { endpoint } from '../../schemas/routes/confirm-sign-up.ts';
import { accountPool } from '../adapters/cognito/account-pool.ts';
import { addresses, planTable } from '../adapters/tables.ts';
import { proofsTable } from '../adapters/dynamodb/proofs-table.ts';
import { finishConfirmation, setPasswordOf } from '../accounts/open-account.ts';
import { readProof } from '../accounts/read-proof.ts';
import { signedUpIn } from '../accounts/signed-up-in.ts';
import { hasPassword, isUnconfirmed } from '../domain/account-linking.ts';
import { refusalsOf } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const refusal = refusalsOf<typeof endpoint>();

const adapters = { pool: accountPool, addresses, proofs: proofsTable, planTable };

/**
 * Confirms a sign-up. The link proves an address, not an account: anyone may have signed up with the address
 * since, or have had the account removed. Its holder confirms the account that waits now, or gets a new one.
 * Success too if the address is confirmed already.
 */
export const confirmSignUp = (dependencies: Made<typeof adapters>) =>
  route(endpoint, async ({ email, token, browser, account: chosen }, { now }) => {
    const done = { success: true as const };
    const { proof, account } = (await readProof(dependencies, token, 'sign-up', now, email)) ?? {};
    if (!proof || account?.enabled === false) throw refusal('link-invalid');
    if (account && !isUnconfirmed(account, email)) {
      // Without a claim, a confirmation stopped halfway, and the password may be a stranger's.
      const isOpen =
        (await dependencies.addresses.ownerOf(email)) === account.username || !hasPassword(account);
      const isHers = browser !== undefined && signedUpIn(browser, account);
      if (!isOpen && isHers) await finishConfirmation(dependencies, account, email, now);
      if (isOpen || isHers) return done;
    } else if (account && browser !== undefined && signedUpIn(browser, account)) {
      await dependencies.pool.verify(account.username);
      // Our trigger claims the address and opens the row.
      await dependencies.pool.confirm(account.username, browser);
      return done;
    }
    if (!chosen) throw refusal('password-needed');
    const { name, password } = chosen;
    await setPasswordOf(
      dependencies,
      account ?? (await dependencies.pool.create(email, name)),
      { email, password, name },
      now,
    );
    return done;
  });

export const handler = withAdapters(endpoint, adapters, confirmSignUp);
