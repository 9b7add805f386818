import { namesOf } from '../../../schemas/product/providers.ts';
import type { Accounts, SupportedAccount } from './accounts.ts';

/**
 * The account that a command is about. An address only finds an account that has confirmed it: anybody can
 * type any address at a sign-up. Throws a sentence if there is no account, or more than one.
 */
export async function findAccount(accounts: Accounts, user: string): Promise<SupportedAccount> {
  const isAddress = user.includes('@');
  const found = isAddress
    ? await accounts.withAddress(user)
    : [await accounts.withSub(user)].filter((account) => account !== undefined);
  const [account, ...others] = found;
  if (!account) throw new Error(`No account has the ${isAddress ? 'address' : 'sub'} ${user}.`);
  if (others.length > 0) {
    throw new Error(
      `${user} has ${found.length} accounts. Name one by its sub: ${found.map(inWords).join('; ')}.`,
    );
  }
  if (isAddress && !account.emailVerified) {
    throw new Error(
      `The account with the address ${user} has not proved that it owns it. Name it by its sub: ${account.sub}.`,
    );
  }
  return account;
}

const inWords = ({ sub, providers, emailVerified }: SupportedAccount): string =>
  `${sub} (${namesOf(providers) || 'password'}${emailVerified ? '' : ', address not verified'})`;
