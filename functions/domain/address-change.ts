import type { AddressChange, EarlierAddress, PendingAddress } from '../../schemas/rows/address-change.ts';

// Milliseconds. Long enough for a slow mail, too short for guessing.
const CODE_VALIDITY = 15 * 60_000;
// Milliseconds. The mail to the earlier address promises the same.
const UNDO_VALIDITY = 7 * 86_400_000;
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
  expires_at: 0,
});

/*
 * The events of a change of address. Each returns the next version of the item, or undefined if the event
 * can't happen any more:
 *
 *   requested → codeRejected (up to five times) → confirmed → undone → undoFinished
 *             → abandoned                                   → rolledBack → rollbackFinished
 *
 * `confirmed`, `rolledBack` and `undone` decide `current`: the address that the account should have.
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
  const earlier = undoable(change, now);
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
 * the tries.
 */
export function confirmed(
  change: AddressChange,
  codeHash: string,
  { email, token_hash }: Pick<EarlierAddress, 'email' | 'token_hash'>,
  now: Date,
): AddressChange | undefined {
  const pending = pendingAt(change, now);
  if (pending?.code_hash !== codeHash) return undefined;
  const { pending: _, ...rest } = change;
  const entry = { email, token_hash, changed_at: now.toISOString() };
  return written({ ...rest, current: pending.email, earlier: [...undoable(change, now), entry] }, now);
}

/** The earlier address that the token with this hash can restore. */
export const earlierBy = (change: AddressChange, tokenHash: string, now: Date): EarlierAddress | undefined =>
  undoable(change, now).find(({ token_hash }) => token_hash === tokenHash);

/**
 * The pool couldn't take the confirmed address, and the account keeps the earlier one. The link of that
 * address stays too. Undefined if an undo has meanwhile dropped the link and decided the address.
 */
export function rolledBack(change: AddressChange, tokenHash: string, now: Date): AddressChange | undefined {
  const entry = earlierBy(change, tokenHash, now);
  return entry && written({ ...change, current: entry.email }, now);
}

/** The pool certainly has the earlier address. The link of that address no longer works. */
export function rollbackFinished(
  change: AddressChange,
  tokenHash: string,
  now: Date,
): AddressChange | undefined {
  const entry = earlierBy(change, tokenHash, now);
  return entry && withoutLink(change, entry, now);
}

/**
 * The earlier address is the account's again. Later changes are dropped, the pending one included: the link
 * in the mail to the first address beats the links to later addresses, whoever has them. The link and the
 * replaced addresses stay until `undoFinished`, so that an undo that fails halfway can be repeated. Undefined
 * if no such link works.
 */
export function undone(change: AddressChange, tokenHash: string, now: Date): AddressChange | undefined {
  const entry = earlierBy(change, tokenHash, now);
  if (!entry) return undefined;
  const { pending: _, ...rest } = change;
  const index = change.earlier.findIndex(({ token_hash }) => token_hash === tokenHash);
  const later = change.earlier.slice(index + 1).map(({ email }) => email);
  const replaced = new Set([
    ...(change.replaced ?? []),
    ...later,
    ...(change.current ? [change.current] : []),
  ]);
  return written(
    {
      ...rest,
      current: entry.email,
      earlier: change.earlier.slice(0, index + 1),
      locked: true,
      replaced: [...replaced].filter((email) => email !== entry.email),
    },
    now,
  );
}

/**
 * The undo is complete. Its link no longer works. Undefined if another undo or change has decided the address
 * meanwhile.
 */
export function undoFinished(change: AddressChange, tokenHash: string, now: Date): AddressChange | undefined {
  const entry = earlierBy(change, tokenHash, now);
  if (!entry || change.current !== entry.email) return undefined;
  const { locked: _, replaced: __, ...rest } = change;
  return withoutLink(rest, entry, now);
}

const withoutLink = (change: AddressChange, used: EarlierAddress, now: Date): AddressChange =>
  written(
    { ...change, earlier: change.earlier.filter(({ token_hash }) => token_hash !== used.token_hash) },
    now,
  );

const undoable = ({ earlier }: AddressChange, now: Date): EarlierAddress[] =>
  earlier.filter(({ changed_at }) => Date.parse(changed_at) > now.getTime() - UNDO_VALIDITY);

/** The next version, kept as long as anything in it is of use. */
const written = (change: AddressChange, now: Date): AddressChange => ({
  ...change,
  version: change.version + 1,
  expires_at: Math.ceil((now.getTime() + UNDO_VALIDITY) / 1000),
});
