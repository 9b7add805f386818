import { retention } from '../../schemas/product/retention.ts';
import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { AddressChange, WaitingChange } from '../../schemas/rows/address-change.ts';
import type { WaitingAddress } from '../../schemas/shapes/new-address.ts';
import { type Identity, isSameIdentity } from './account-linking.ts';
import { type AccountMoment, isVoid } from './account-moment.ts';

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
export function agreed(change: AddressChange, id: string, by: 'proved' | 'approved', now: Date) {
  const { waiting } = change;
  if (waiting?.id !== id || waiting[by]) return undefined;
  return written({ ...change, waiting: { ...waiting, [by]: true } }, now);
}

export const isDue = ({ proved, approved, due_at }: WaitingChange, now: Date): boolean =>
  proved === true && (approved === true || Date.parse(due_at) <= now.getTime());

/** From now on the change can't be stopped. Undefined if it isn't due, or has begun. */
export function begun(change: AddressChange, now: Date): AddressChange | undefined {
  const { waiting } = change;
  if (!waiting || waiting.begun || !isDue(waiting, now)) return undefined;
  return written({ ...change, waiting: { ...waiting, begun: true } }, now);
}

/** Undefined if none waits, or it is being made. `declines`: no provider's sign-in asks for it again. */
export const stopped = (change: AddressChange, now: Date, declines = false): AddressChange | undefined =>
  change.waiting && !change.waiting.begun
    ? ended({ ...change, ...(declines && { declined: change.waiting.to }) }, now)
    : undefined;

export function ended(change: AddressChange, now: Date): AddressChange {
  const { waiting: _, ...rest } = change;
  return written(rest, now);
}

export const waitingAddressOf = ({ to, due_at, proved, approved }: WaitingChange): WaitingAddress => ({
  email: to,
  changesAt: due_at,
  isProved: proved === true,
  isApproved: approved === true,
});

/** The change that an account waits for. None if the account has taken back what is older than now. */
export const waitingOf = ({ waiting }: Pick<AddressChange, 'waiting'>, row: AccountMoment | undefined) =>
  waiting && !isVoid(row, waiting.requested_at) ? waiting : undefined;

/** A provider's account that is about to be linked. Undefined if it is written down already. */
export function providerLinked(change: AddressChange, identity: Identity, address: string, now: Date) {
  const { linked = [] } = change;
  if (linked.some((known) => isSameIdentity(known, identity) && known.address === address)) return undefined;
  const others = linked.filter((known) => !isSameIdentity(known, identity));
  return written({ ...change, linked: [...others, { ...identity, address }] }, now);
}

/** Providers' accounts are taken off. Their next sign-in with the account's address links them again. */
export const providersTakenOff = (
  { linked = [], ...change }: AddressChange,
  removed: readonly Identity[],
  now: Date,
): AddressChange => {
  const kept = linked.filter((known) => !removed.some((identity) => isSameIdentity(known, identity)));
  return written({ ...change, ...(kept.length > 0 && { linked: kept }) }, now);
};

/**
 * A sign-in with a provider brought this address. Cognito doesn't tell which of several linked accounts did:
 * none keeps a known address then. Undefined if nothing changes.
 */
export function addressBrought(change: AddressChange, address: string, now: Date): AddressChange | undefined {
  const { linked = [] } = change;
  const [only] = linked;
  if (only && linked.length === 1) return providerLinked(change, only, address, now);
  if (linked.every((known) => known.address === undefined)) return undefined;
  return written({ ...change, linked: linked.map(({ provider, id }) => ({ provider, id })) }, now);
}

export const isDisconnected = ({ disconnected = [] }: AddressChange, identity: Identity): boolean =>
  disconnected.some((other) => isSameIdentity(other, identity));

/** Providers' accounts are disconnected by the user. No sign-in links them again. */
export function providersDisconnected(change: AddressChange, identities: readonly Identity[], now: Date) {
  const added = identities.filter((identity) => !isDisconnected(change, identity));
  if (added.length === 0) return undefined;
  const disconnected = [...(change.disconnected ?? []), ...added];
  return providersTakenOff({ ...change, disconnected }, identities, now);
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
    ...(!rest.disconnected && !rest.linked && !rest.declined && { expires_at: Math.ceil(until / 1000) }),
  };
}
