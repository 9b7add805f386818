import type { AddressChange, EarlierAddress, PendingAddress } from '../../schemas/address-change.ts';

// Milliseconds. Long enough for a slow mail, and short for a guess.
const CODE_VALIDITY = 15 * 60_000;
// Milliseconds. As long as the mail to the earlier address promises.
const UNDO_VALIDITY = 7 * 86_400_000;
const HOUR = 3_600_000;

/** Wrong codes before a new one is needed. */
const MAXIMUM_TRIES = 5;
/** Mails with a code that one account can cause in an hour, to whatever addresses. */
const MAXIMUM_MAILS = 5;
/**
 * Changes within seven days. A further change is refused, because no link may be dropped before its time:
 * whoever has the account could otherwise push out its owner's link by changing the address again and again.
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

/**
 * Adds a change that waits for its code, in place of an earlier one. Undefined if the account has caused too
 * many mails, or has changed its address too often.
 */
export function withPending(
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

/** Counts a wrong code. */
export function withWrongCode(change: AddressChange, now: Date): AddressChange {
  const { pending } = change;
  return written({ ...change, ...(pending && { pending: { ...pending, tries: pending.tries + 1 } }) }, now);
}

/** Without the change that waits for its code. */
export function withoutPending(change: AddressChange, now: Date): AddressChange {
  const { pending: _, ...rest } = change;
  return written(rest, now);
}

/**
 * The pending address becomes the account's. `email`: the address until now, which `token_hash` can set back.
 */
export function withChanged(
  change: AddressChange,
  { email, token_hash }: Pick<EarlierAddress, 'email' | 'token_hash'>,
  now: Date,
): AddressChange {
  const { pending, ...rest } = change;
  const entry = { email, token_hash, changed_at: now.toISOString() };
  return written(
    { ...rest, ...(pending && { current: pending.email }), earlier: [...undoable(change, now), entry] },
    now,
  );
}

/** The earlier address stays the account's, as the pool could not get the pending one. Its link stays. */
export const withTakenBack = (change: AddressChange, { email }: EarlierAddress, now: Date): AddressChange =>
  written({ ...change, current: email }, now);

/** The address that the token with this hash can set back. */
export const earlierBy = (change: AddressChange, tokenHash: string, now: Date): EarlierAddress | undefined =>
  undoable(change, now).find(({ token_hash }) => token_hash === tokenHash);

/**
 * The earlier address is the account's again. What came later is dropped, the pending change included: the
 * link in the mail to the first address wins over those to the later ones, whoever has them. Until
 * `withUndoDone`, the link itself stays, and what it has replaced: an undo that fails half-way is repeated.
 */
export function withUndone(change: AddressChange, undone: EarlierAddress, now: Date): AddressChange {
  const { pending: _, ...rest } = change;
  const index = change.earlier.findIndex(({ token_hash }) => token_hash === undone.token_hash);
  const later = change.earlier.slice(index + 1).map(({ email }) => email);
  const replaced = new Set([
    ...(change.replaced ?? []),
    ...later,
    ...(change.current ? [change.current] : []),
  ]);
  return written(
    {
      ...rest,
      current: undone.email,
      earlier: change.earlier.slice(0, index + 1),
      locked: true,
      replaced: [...replaced].filter((email) => email !== undone.email),
    },
    now,
  );
}

/** The undo has done all it does. Its link doesn't work any more. */
export function withUndoDone(change: AddressChange, undone: EarlierAddress, now: Date): AddressChange {
  const { locked: _, replaced: __, ...rest } = change;
  return withoutEarlier(rest, undone, now);
}

/** Without this earlier address: its link doesn't work any more. */
export const withoutEarlier = (change: AddressChange, used: EarlierAddress, now: Date): AddressChange =>
  written(
    { ...change, earlier: change.earlier.filter(({ token_hash }) => token_hash !== used.token_hash) },
    now,
  );

const undoable = ({ earlier }: AddressChange, now: Date): EarlierAddress[] =>
  earlier.filter(({ changed_at }) => Date.parse(changed_at) > now.getTime() - UNDO_VALIDITY);

/** The next version, kept for as long as anything in it is of use. */
const written = (change: AddressChange, now: Date): AddressChange => ({
  ...change,
  version: change.version + 1,
  expires_at: Math.ceil((now.getTime() + UNDO_VALIDITY) / 1000),
});
