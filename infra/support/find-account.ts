import type { Accounts, PoolAccount } from './accounts.ts';

/** The one account that a command is about. Throws a sentence if there is none, or more than one. */
export async function findAccount(accounts: Accounts, user: string): Promise<PoolAccount> {
  const isAddress = user.includes('@');
  const found = isAddress
    ? await accounts.withAddress(user)
    : [await accounts.withSub(user)].filter((account) => account !== undefined);
  const [account, ...others] = found;
  if (!account) throw new Error(`No account has the ${isAddress ? 'address' : 'sub'} ${user}.`);
  if (others.length > 0) {
    const subs = found.map(({ sub, providers }) => `${sub} (${providers.join(', ') || 'password'})`);
    throw new Error(`${user} has ${found.length} accounts. Name one by its sub: ${subs.join('; ')}.`);
  }
  return account;
}
