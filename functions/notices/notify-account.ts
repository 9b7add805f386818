import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import type { Mail } from '../adapters/ses.ts';
import { noChanges } from '../domain/address-change.ts';
import { type EarlierMailbox, earlierMailboxes } from '../domain/waiting-deletion.ts';
import type { Notice } from '../emails/layout.ts';
import { log } from '../runtime/log.ts';
import { notify } from './notify.ts';

export interface NotifyDependencies {
  addressChanges: Pick<AddressChangesTable, 'read'>;
  mail: Pick<Mail, 'send'>;
}

/** `email`: the account's proved address. */
export interface NotifiedAccount {
  id: string | undefined;
  email: string | undefined;
}

/**
 * Mails an account about something that has happened to it: its own address, and each earlier address that
 * can still take the account back. Whoever has the account's own mailbox may be the one who did it. Never
 * throws. Resolves with whether the account's own mail was sent.
 */
export async function notifyAccount(
  { addressChanges, mail }: NotifyDependencies,
  { id, email }: NotifiedAccount,
  notice: (earlier?: EarlierMailbox) => Notice,
  now: Date,
): Promise<boolean> {
  const mailboxes = await earlierOf(addressChanges, id, email, now);
  const [isSent] = await Promise.all([
    notify(mail, email, notice()),
    ...mailboxes.map((earlier) => notify(mail, earlier.email, notice(earlier))),
  ]);
  return isSent;
}

async function earlierOf(
  addressChanges: NotifyDependencies['addressChanges'],
  id: string | undefined,
  email: string | undefined,
  now: Date,
): Promise<EarlierMailbox[]> {
  if (id === undefined) return [];
  try {
    return earlierMailboxes((await addressChanges.read(id)) ?? noChanges(id), email, now);
  } catch (error) {
    log.error('earlier-addresses-not-read', { user: id }, error);
    return [];
  }
}
