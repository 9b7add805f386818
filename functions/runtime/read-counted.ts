import { type AccountMoment, withMoment } from '../domain/account-moment.ts';

/** A reader of rows, and of the moment that counts for all accounts. */
export interface CountedTable<Row> {
  read: (id: string) => Promise<Row | undefined>;
  everybody: () => Promise<string | undefined>;
}

/**
 * Reads a user's row with the moment since when its sessions, links and requests count: the later of its own
 * and of everybody's. `moment`: the same also where the row is missing, or the user isn't known.
 */
export async function readCounted<Row extends AccountMoment>(
  table: CountedTable<Row>,
  id: string | undefined,
): Promise<{ row: Row | undefined; moment: AccountMoment }> {
  const reading = id === undefined ? undefined : table.read(id);
  const [own, ofEverybody] = await Promise.all([reading, table.everybody()]);
  const row = own && withMoment(own, ofEverybody);
  return { row, moment: row ?? withMoment({}, ofEverybody) };
}
