import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { AddressChange } from '../../schemas/rows/address-change.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import { type Account, type Identity, isOf, isSameIdentity } from '../domain/account-linking.ts';
import { noChanges, providersDisconnected, providersTakenOff } from '../domain/address-change.ts';
import { updateAddressChange } from './update-address-change.ts';

/**
 * Takes off every provider's account whose own verified address isn't the one that the account's mailbox has
 * just proved. `disconnects`: also this one, for good. Safe to repeat. Resolves with the providers.
 */
export async function takeOffProviders(
  { addressChanges, pool }: Uses<'addressChanges'> & { pool: AccountPool },
  account: Account,
  address: string,
  now: Date,
  disconnects?: Identity,
): Promise<ProviderKey[]> {
  const known = (await addressChanges.read(account.sub)) ?? noChanges(account.sub);
  const removed = removedFrom(account, known, address, disconnects);
  if (disconnects || removed.length > 0) {
    await updateAddressChange(
      addressChanges,
      account.sub,
      (change) => {
        const disconnected = disconnects && providersDisconnected(change, [disconnects], now);
        return disconnected ?? providersTakenOff(change, removed, now);
      },
      known,
    );
  }
  for (const identity of removed) await pool.unlink(identity);
  return [...new Set(removed.map(({ provider }) => provider))];
}

/** An unknown address is another one. Cognito can't take off the provider's account that made the account. */
function removedFrom(
  account: Account,
  { linked = [] }: AddressChange,
  address: string,
  disconnects?: Identity,
): Identity[] {
  const isKept = (identity: Identity): boolean =>
    isOf(identity, account) ||
    (!isSameIdentity(disconnects, identity) &&
      linked.some((known) => isSameIdentity(known, identity) && known.address === address));
  const removed = account.identities.filter((identity) => !isKept(identity));
  // A link of a mail can name an account that is being linked right now.
  return disconnects && !removed.some((identity) => isSameIdentity(disconnects, identity))
    ? [...removed, disconnects]
    : removed;
}
