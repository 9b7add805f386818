import { retention } from '../../schemas/product/retention.ts';
import type { ProviderKey } from '../../schemas/product/providers.ts';
import type { AddressChange, PendingAddress, UndoLink } from '../../schemas/rows/address-change.ts';
import { type Identity, isSameIdentity } from './account-linking.ts';

// Milliseconds. Long enough for a slow mail, too short for guessing.
const CODE_VALIDITY = 15 * 60_000;
// Milliseconds. The mails with the links promise the same.
const UNDO_VALIDITY = retention.daysToUndo * 86_400_000;
// Milliseconds. A route ends after 29 s. The request that has the turn may have crashed.
const TURN = 60_000;
const HOUR = 3_600_000;

/** Wrong codes before the user needs a new code. */
const MAXIMUM_TRIES = 5;
/** Mails with a code that one account can cause in an hour, to any addresses. */
const MAXIMUM_MAILS = 5;
/**
 * Changes within seven days. A further change is refused, because no link may be dropped before it expires: a
 * thief could otherwise push out the owner's link by changing the address repeatedly.
 */
const MAXIMUM_CHANGES = 10;

/** The changes of an account that has none. */
export const noChanges = (id: string): AddressChange => ({
  id,
  version: 0,
  sent: [],
  earlier: [],
});

/*
 * The events of a change of address. Each returns the next version of the item, or undefined if the event
 * can't happen any more:
 *
 *   requested → codeRejected (up to five times) → confirmed → undone → undoFinished
 *             → abandoned                                   → rolledBack → rollbackFinished
 *
 * `confirmed`, `rolledBack` and `undone` decide `current`: the address that the account should have.
 * `waiting-deletion.ts` has the events of a deletion.
 */

/**
 * A change waits for its code, in place of an earlier change. Undefined if the account has caused too many
 * mails, or has changed its address too often.
 */
export function requested(
  change: AddressChange,
  pending: Pick<PendingAddress, 'email' | 'code_hash' | 'salt'>,
  now: Date,
): AddressChange | undefined {
  const sent = change.sent.filter((at) => Date.parse(at) > now.getTime() - HOUR);
  const earlier = openLinks(change, now);
  if (sent.length >= MAXIMUM_MAILS || earlier.length >= MAXIMUM_CHANGES) return undefined;
  const expires_at = new Date(now.getTime() + CODE_VALIDITY).toISOString();
  return written(
    {
      ...change,
      earlier,
      sent: [...sent, now.toISOString()],
      pending: { ...pending, tries: 0, expires_at },
    },
    now,
  );
}

/** The change that a code can still complete. */
export function pendingAt({ pending }: AddressChange, now: Date): PendingAddress | undefined {
  if (!pending || pending.tries >= MAXIMUM_TRIES) return undefined;
  return Date.parse(pending.expires_at) > now.getTime() ? pending : undefined;
}

/** The user entered a wrong code. Undefined if no change waits for a code. */
export function codeRejected(change: AddressChange, now: Date): AddressChange | undefined {
  const pending = pendingAt(change, now);
  return pending && written({ ...change, pending: { ...pending, tries: pending.tries + 1 } }, now);
}

/** The change that waits for its code is dropped: another account has the address. */
export function abandoned(change: AddressChange, now: Date): AddressChange {
  const { pending: _, ...rest } = change;
  return written(rest, now);
}

/**
 * The pending address becomes the account's. `email`: the address until now, which `token_hash` can restore.
 * Undefined if no change waits for `codeHash`: a code works once, and not after another request has used up
 * the tries. Also undefined while the account is being deleted or taken back.
 */
export function confirmed(
  change: AddressChange,
  codeHash: string,
  { email, token_hash }: Pick<UndoLink, 'email' | 'token_hash'>,
  now: Date,
): AddressChange | undefined {
  const pending = pendingAt(change, now);
  if (pending?.code_hash !== codeHash || isHeld(change, now)) return undefined;
  const { pending: _, ...rest } = change;
  return written({ ...withLink(rest, { email, token_hash }, now), current: pending.email }, now);
}

/**
 * A provider's account is about to be linked. `token_hash` takes it off again. Undefined while the account is
 * being deleted or taken back, and for a provider's account that an undo has taken off.
 */
export function providerLinked(
  change: AddressChange,
  link: { email: string; token_hash: string; identity: Identity },
  now: Date,
): AddressChange | undefined {
  if (isHeld(change, now) || isBarred(change, link.identity)) return undefined;
  return written(withLink(change, { ...link, of: 'provider' }, now), now);
}

/** Whether an undo has taken the provider's account off, or the user has disconnected it. */
export const isBarred = ({ barred = [], disconnected = [] }: AddressChange, identity: Identity): boolean =>
  includes([...barred, ...disconnected], identity);

const includes = (identities: readonly Identity[], sought: Identity): boolean =>
  identities.some((identity) => isSameIdentity(identity, sought));

/**
 * The user disconnects providers' accounts, which no sign-in links again from then on. Undefined while the
 * account is being deleted or taken back.
 */
export function providersDisconnected(
  change: AddressChange,
  identities: readonly Identity[],
  now: Date,
): AddressChange | undefined {
  if (isHeld(change, now)) return undefined;
  const { disconnected = [] } = change;
  const added = identities.filter((identity) => !includes(disconnected, identity));
  return added.length === 0 ? change : written({ ...change, disconnected: [...disconnected, ...added] }, now);
}

/** The user lets a provider be connected again. Undefined if the user hasn't disconnected it. */
export function providerAllowed(
  { disconnected = [], ...change }: AddressChange,
  provider: ProviderKey,
  now: Date,
): AddressChange | undefined {
  const kept = disconnected.filter((identity) => identity.provider !== provider);
  if (kept.length === disconnected.length) return undefined;
  return written({ ...change, ...(kept.length > 0 && { disconnected: kept }) }, now);
}

/** The open link whose token has this hash. */
export const linkBy = (change: AddressChange, tokenHash: string, now: Date): UndoLink | undefined =>
  openLinks(change, now).find(
    ({ token_hash, deletion_hash }) => token_hash === tokenHash || deletion_hash === tokenHash,
  );

/**
 * The pool couldn't take the confirmed address, and the account keeps the earlier one. The link of that
 * address stays too. Undefined if an undo has meanwhile dropped the link and decided the address.
 */
export function rolledBack(change: AddressChange, tokenHash: string, now: Date): AddressChange | undefined {
  const link = linkBy(change, tokenHash, now);
  return link && written({ ...change, current: link.email }, now);
}

/** The pool certainly has the earlier address. The link of that address no longer works. */
export function rollbackFinished(
  change: AddressChange,
  tokenHash: string,
  now: Date,
): AddressChange | undefined {
  const link = linkBy(change, tokenHash, now);
  return link && withoutLink(change, link, now);
}

/**
 * The account goes back to the address of a link. Later changes are dropped, a pending one and a deletion
 * included: the link in the mail to the first address beats the links to later addresses, whoever has them.
 * The link and the replaced addresses stay until `undoFinished`, so that an undo that fails halfway can be
 * repeated. Takes the turn if it is free. Undefined if no such link works.
 */
export function undone(change: AddressChange, tokenHash: string, now: Date): AddressChange | undefined {
  const link = linkBy(change, tokenHash, now);
  if (!link || change.deletion?.begun) return undefined;
  const { pending: _, deletion: __, barred = [], ...rest } = change;
  const index = change.earlier.indexOf(link);
  const later = change.earlier.slice(index + 1).map(({ email }) => email);
  const replaced = new Set([
    ...(change.replaced ?? []),
    ...later,
    ...(change.current ? [change.current] : []),
  ]);
  const linkedSince = change.earlier.slice(index).flatMap(({ identity }) => identity ?? []);
  const newlyBarred = linkedSince.filter((identity) => !includes(barred, identity));
  return written(
    {
      ...rest,
      ...(barred.length + newlyBarred.length > 0 && { barred: [...barred, ...newlyBarred] }),
      current: link.email,
      earlier: change.earlier.slice(0, index + 1),
      locked: true,
      replaced: [...replaced].filter((email) => email !== link.email),
      ...turnOf(change, now),
    },
    now,
  );
}

/**
 * The undo is complete. Its link no longer works. Undefined if another undo or change has decided the address
 * meanwhile.
 */
export function undoFinished(change: AddressChange, tokenHash: string, now: Date): AddressChange | undefined {
  const link = linkBy(change, tokenHash, now);
  if (!link || change.current !== link.email) return undefined;
  const { locked: _, replaced: __, leased_until: ___, ...rest } = change;
  return withoutLink(rest, link, now);
}

/** Whether a request has the turn: it changes the account in the pool, which others must not do meanwhile. */
export const isBusy = ({ leased_until }: AddressChange, now: Date): boolean =>
  leased_until !== undefined && Date.parse(leased_until) > now.getTime();

/** Whether the account is being deleted, waits for its deletion, or is being taken back. */
const isHeld = (change: AddressChange, now: Date): boolean =>
  change.locked === true || change.deletion !== undefined || isBusy(change, now);

/** The turn of the request that has it, or of this one. */
export const turnOf = (
  change: AddressChange,
  now: Date,
): { leased_until: NonNullable<AddressChange['leased_until']> } => ({
  leased_until:
    change.leased_until !== undefined && isBusy(change, now)
      ? change.leased_until
      : new Date(now.getTime() + TURN).toISOString(),
});

/** The turn is over. Undefined if another request has taken it over. */
export function leaseEnded(change: AddressChange, turn: string, now: Date): AddressChange | undefined {
  const { leased_until, ...rest } = change;
  return leased_until === turn ? written(rest, now) : undefined;
}

const withLink = (change: AddressChange, link: Omit<UndoLink, 'changed_at'>, now: Date): AddressChange => ({
  ...change,
  earlier: [...openLinks(change, now), { ...link, changed_at: now.toISOString() }],
});

const withoutLink = (change: AddressChange, used: UndoLink, now: Date): AddressChange =>
  written(
    { ...change, earlier: change.earlier.filter(({ token_hash }) => token_hash !== used.token_hash) },
    now,
  );

export const openLinks = ({ earlier }: AddressChange, now: Date): UndoLink[] =>
  earlier.filter((link) => endOf(link).getTime() > now.getTime());

/** The time from which on a link no longer works. */
export const endOf = ({ changed_at }: Pick<UndoLink, 'changed_at'>): Date =>
  new Date(Date.parse(changed_at) + UNDO_VALIDITY);

/** `changed_at` of a link that works until `end`. */
export const beginOf = (end: Date): Date => new Date(end.getTime() - UNDO_VALIDITY);

/** The next version, kept as long as anything in it is of use. */
export function written(change: AddressChange, now: Date): AddressChange {
  const { expires_at: _, ...rest } = change;
  const stays = rest.deletion !== undefined || rest.barred !== undefined || rest.disconnected !== undefined;
  return {
    ...rest,
    version: change.version + 1,
    ...(!stays && { expires_at: Math.ceil((now.getTime() + UNDO_VALIDITY) / 1000) }),
  };
}
