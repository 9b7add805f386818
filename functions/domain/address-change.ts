import { retention } from '../../schemas/product/retention.ts';
import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { AddressChange, WaitingChange } from '../../schemas/rows/address-change.ts';
import type { WaitingAddress } from '../../schemas/shapes/new-address.ts';
import { type Identity, isSameIdentity } from './account-linking.ts';

// Milliseconds. The mails promise the same.
const APPROVAL = retention.daysToApprove * 86_400_000;
// Milliseconds. The task that makes a change may be late.
const DELAY = 30 * 86_400_000;

/** The item of an account that has none. */
export const noChanges = (id: string): AddressChange => ({ id, version: 0 });

/*
 * The events of a change of address. Each returns the next version of the item, or undefined if nothing is to
 * be written:
 *
 *   requested → proved, approved (in any order) → begun → ended
 *             → ended (stopped, taken back, or another account has the address)
 *
 * Until `begun`, a further request takes the place of the change.
 */

/** Undefined while an earlier change is being made. */
export function requested(
  change: AddressChange,
  { id, from, to }: Pick<WaitingChange, 'id' | 'from' | 'to'>,
  now: Date,
): AddressChange | undefined {
  if (change.waiting?.begun) return undefined;
  const due_at = new Date(now.getTime() + APPROVAL).toISOString();
  return written({ ...change, waiting: { id, from, to, requested_at: now.toISOString(), due_at } }, now);
}

/** A mailbox has agreed to the change with this `id`. Undefined if it no longer waits. */
export function agreed(
  change: AddressChange,
  id: string,
  by: 'proved' | 'approved',
  now: Date,
): AddressChange | undefined {
  const { waiting } = change;
  if (waiting?.id !== id || waiting[by]) return undefined;
  return written({ ...change, waiting: { ...waiting, [by]: true } }, now);
}

/** Whether nothing is missing any more. */
export const isDue = ({ proved, approved, due_at }: WaitingChange, now: Date): boolean =>
  proved === true && (approved === true || Date.parse(due_at) <= now.getTime());

/** From now on the change can't be stopped. Undefined if it isn't due, or has begun. */
export function begun(change: AddressChange, now: Date): AddressChange | undefined {
  const { waiting } = change;
  if (!waiting || waiting.begun || !isDue(waiting, now)) return undefined;
  return written({ ...change, waiting: { ...waiting, begun: true } }, now);
}

/** The change is stopped or taken back. Undefined if none waits, or if it is being made. */
export const stopped = (change: AddressChange, now: Date): AddressChange | undefined =>
  change.waiting && !change.waiting.begun ? ended(change, now) : undefined;

/** The change is made or given up. */
export function ended(change: AddressChange, now: Date): AddressChange {
  const { waiting: _, ...rest } = change;
  return written(rest, now);
}

/** A waiting change as the account's owner sees it. */
export const waitingAddressOf = ({ to, due_at, proved, approved }: WaitingChange): WaitingAddress => ({
  email: to,
  changesAt: due_at,
  isProved: proved === true,
  isApproved: approved === true,
});

export const isDisconnected = ({ disconnected = [] }: AddressChange, identity: Identity): boolean =>
  disconnected.some((other) => isSameIdentity(other, identity));

/** Providers' accounts are disconnected. No sign-in links them again. */
export function providersDisconnected(
  change: AddressChange,
  identities: readonly Identity[],
  now: Date,
): AddressChange | undefined {
  const added = identities.filter((identity) => !isDisconnected(change, identity));
  if (added.length === 0) return undefined;
  return written({ ...change, disconnected: [...(change.disconnected ?? []), ...added] }, now);
}

/** The user lets a provider be connected again. Undefined if it isn't disconnected. */
export function providerAllowed(
  { disconnected = [], ...change }: AddressChange,
  provider: ProviderKey,
  now: Date,
): AddressChange | undefined {
  const kept = disconnected.filter((identity) => identity.provider !== provider);
  if (kept.length === disconnected.length) return undefined;
  return written({ ...change, ...(kept.length > 0 && { disconnected: kept }) }, now);
}

/** The next version, kept as long as anything in it is of use. */
function written(change: AddressChange, now: Date): AddressChange {
  const { expires_at: _, ...rest } = change;
  const until = change.waiting ? Date.parse(change.waiting.due_at) + DELAY : now.getTime();
  return {
    ...rest,
    version: change.version + 1,
    ...(rest.disconnected === undefined && { expires_at: Math.ceil(until / 1000) }),
  };
}
