import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { Uses } from '../adapters/adapters.ts';
import type { AccountPool } from '../adapters/cognito/account-pool.ts';
import type { Account, Identity } from '../domain/account-linking.ts';
import { noChanges, providersDisconnected, providersTakenOff } from '../domain/address-change.ts';
import { waysInAfter } from '../domain/ways-in.ts';
import { updateAddressChange } from './update-address-change.ts';

export interface ProvidersAfter {
  kept: ProviderKey[];
  removed: ProviderKey[];
}

/**
 * Takes off every provider's account whose own verified address isn't the one that the account's mailbox has
 * just proved. `disconnects`: also this one, for good. Safe to repeat.
 */
export async function takeOffProviders(
  { addressChanges, pool }: Uses<'addressChanges'> & { pool: AccountPool },
  account: Account,
  address: string,
  now: Date,
  disconnects?: Identity,
): Promise<ProvidersAfter> {
  const known = (await addressChanges.read(account.sub)) ?? noChanges(account.sub);
  const { kept, removed } = waysInAfter(known, account, address, disconnects);
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
  return { kept: keysOf(kept), removed: keysOf(removed) };
}

const keysOf = (identities: readonly Identity[]): ProviderKey[] => [
  ...new Set(identities.map(({ provider }) => provider)),
];
