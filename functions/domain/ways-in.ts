import type { AddressChange } from '../../schemas/rows/address-change.ts';
import { type Account, type Identity, isOf, isSameIdentity } from './account-linking.ts';

/** The providers' accounts that open an account, after an act that decides who may come in. */
export interface WaysInAfter {
  kept: Identity[];
  removed: Identity[];
}

/**
 * Decides which providers' accounts still open an account whose `address` was just proved: those whose own
 * known address it is, and the one that made the account: Cognito can't take that off. `disconnects`: goes
 * too, whatever its address.
 */
export function waysInAfter(
  { linked = [] }: Pick<AddressChange, 'linked'>,
  account: Pick<Account, 'identities' | 'username'>,
  address: string,
  disconnects?: Identity,
): WaysInAfter {
  const isKept = (identity: Identity): boolean =>
    isOf(identity, account) ||
    (!isSameIdentity(disconnects, identity) &&
      linked.some((known) => isSameIdentity(known, identity) && known.address === address));
  const removed = account.identities.filter((identity) => !isKept(identity));
  return {
    kept: account.identities.filter(isKept),
    // A link of a mail can name an account that is being linked right now.
    removed:
      disconnects && !removed.some((identity) => isSameIdentity(disconnects, identity))
        ? [...removed, disconnects]
        : removed,
  };
}
