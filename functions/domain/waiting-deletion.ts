import type { AddressChange, UndoLink } from '../../schemas/rows/address-change.ts';
import { beginOf, endOf, isBusy, openLinks, turnOf, written } from './address-change.ts';

/*
 * The events of a deletion that waits. Each returns the next version of the account's item in AddressChanges,
 * or undefined if nothing is to be written:
 *
 *   deletionRequested → linksMailed → deletionBegun
 *                     → deletionWithdrawn
 *                     → undone (address-change.ts)
 */

/** The links to addresses that the account had before. */
const addressLinks = (change: AddressChange, now: Date): UndoLink[] =>
  openLinks(change, now).filter(({ of }) => of === undefined);

/** The time until which a deletion waits: until then, a change of address can be taken back. */
function waitsUntil(change: AddressChange, now: Date): Date | undefined {
  const ends = addressLinks(change, now).map((link) => endOf(link).getTime());
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
}

/** An address that the account had within the last seven days, and that can take it back. */
export interface EarlierMailbox {
  email: string;
  /** Time of the mail with the link. */
  replacedAt: Date;
}

/** The earlier addresses without the account's own, each once. */
export function earlierMailboxes(
  change: AddressChange,
  current: string | undefined,
  now: Date,
): EarlierMailbox[] {
  const mailboxes = new Map<string, EarlierMailbox>();
  for (const { email, changed_at } of addressLinks(change, now)) {
    if (email !== current && !mailboxes.has(email)) {
      mailboxes.set(email, { email, replacedAt: new Date(changed_at) });
    }
  }
  return [...mailboxes.values()];
}

/** Whether the address has a link that restores it. */
export const isEarlierAddress = (change: AddressChange, email: string | undefined, now: Date): boolean =>
  addressLinks(change, now).some((link) => link.email === email);

/**
 * The user wants the account deleted. Takes the turn. If a change of address can be taken back, the deletion
 * waits, and `deletion` says until when. A deletion at once writes only the turn, which keeps the address
 * from being changed meanwhile; several such requests share it.
 */
export function deletionRequested(change: AddressChange, now: Date): AddressChange | undefined {
  const due = waitsUntil(change, now);
  if ((change.deletion || !due) && isBusy(change, now)) return undefined;
  const { pending: _, ...rest } = change;
  const requested = due && { requested_at: now.toISOString(), due_at: due.toISOString() };
  const deletion = change.deletion ?? requested;
  return written({ ...rest, ...(deletion && { deletion }), ...turnOf(change, now) }, now);
}

/**
 * Support wants the account deleted: at once, or once a change of address can no longer be taken back. The
 * task does all of it. Undefined if a deletion is ordered already.
 */
export function deletionOrdered(change: AddressChange, now: Date): AddressChange | undefined {
  if (change.deletion) return undefined;
  const { pending: _, ...rest } = change;
  const due = waitsUntil(change, now) ?? now;
  return written({ ...rest, deletion: { requested_at: now.toISOString(), due_at: due.toISOString() } }, now);
}

/** The request turned out to come from a session that has ended. */
export function deletionWithdrawn(change: AddressChange, turn: string, now: Date): AddressChange | undefined {
  const { leased_until, deletion: _, ...rest } = change;
  return leased_until === turn ? written(rest, now) : undefined;
}

/**
 * Links for the mails about the deletion, since the hashes of earlier links don't give them back. `earlier`:
 * a second one for each earlier address, by address. `own`: one that lets the account's own address take the
 * deletion back, until the last link ends. Undefined if the mails were sent, or the deletion was taken back.
 */
export function linksMailed(
  change: AddressChange,
  {
    earlier,
    own,
  }: { earlier: ReadonlyMap<string, string>; own?: Pick<UndoLink, 'email' | 'token_hash'> | undefined },
  now: Date,
): AddressChange | undefined {
  const { deletion } = change;
  if (!deletion || deletion.mailed) return undefined;
  const left = new Map(earlier);
  const links = openLinks(change, now)
    .filter(({ of }) => of !== 'deletion')
    .map((link) => {
      const deletion_hash = link.of === undefined ? left.get(link.email) : undefined;
      if (deletion_hash === undefined) return link;
      left.delete(link.email);
      return { ...link, deletion_hash };
    });
  const changed_at = beginOf(new Date(deletion.due_at)).toISOString();
  return written(
    { ...change, earlier: own ? [...links, { ...own, changed_at, of: 'deletion' }] : links },
    now,
  );
}

/** Everybody was mailed about the deletion. */
export const allMailed = (change: AddressChange, now: Date): AddressChange | undefined =>
  change.deletion && written({ ...change, deletion: { ...change.deletion, mailed: true } }, now);

/** From now on the deletion can't be taken back. Undefined before its time. */
export function deletionBegun(change: AddressChange, now: Date): AddressChange | undefined {
  const { deletion } = change;
  if (!deletion || Date.parse(deletion.due_at) > now.getTime()) return undefined;
  return written({ ...change, deletion: { ...deletion, begun: true } }, now);
}
