import { WaitlistEntry } from '../../../schemas/rows/waitlist.ts';
import { ex, put, read, remove } from './client.ts';

/** The Waitlist table. */
export interface WaitlistTable {
  /**
   * False if the address is on the list already. Doesn't change the existing entry. True if the entry is the
   * same: the client repeats a write whose answer was lost.
   */
  add(entry: WaitlistEntry): Promise<boolean>;
  /** `email` is lower-case and trimmed. */
  entryOf(email: string): Promise<WaitlistEntry | undefined>;
  /**
   * Moves the entry of an address, if there is one, to another address. If the other address has an entry
   * already, that entry stays and the first is removed. Several requests; safe to repeat.
   */
  move(from: string, to: string): Promise<void>;
}

export function waitlistTable(table: string): WaitlistTable {
  const add: WaitlistTable['add'] = (entry) =>
    put(table, entry, ex`attribute_not_exists(email) OR created_at = ${entry.created_at}`);
  const entryOf: WaitlistTable['entryOf'] = (email) => read(table, { email }, WaitlistEntry);
  return {
    add,
    entryOf,

    async move(from, to) {
      const entry = await entryOf(from);
      if (!entry) return;
      await add({ ...entry, email: to });
      await remove(table, { email: from });
    },
  };
}
