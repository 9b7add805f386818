import { WaitlistEntry } from '../../../schemas/rows/waitlist.ts';
import { ex, put, read, remove } from './client.ts';

export function waitlistTable(table: string) {
  /** False, and nothing changes, if the address is listed. True for the same entry: the SDK repeats it. */
  const add = (entry: WaitlistEntry) =>
    put(table, entry, ex`attribute_not_exists(email) OR created_at = ${entry.created_at}`);
  /** `email` is lower-case and trimmed. */
  const entryOf = (email: string) => read(table, { email }, WaitlistEntry);
  return {
    add,
    entryOf,

    /** Moves an entry, or removes it if the other address has one. Several requests; safe to repeat. */
    async move(from: string, to: string) {
      const entry = await entryOf(from);
      if (!entry) return;
      await add({ ...entry, email: to });
      await remove(table, { email: from });
    },
  };
}
export type WaitlistTable = ReturnType<typeof waitlistTable>;
