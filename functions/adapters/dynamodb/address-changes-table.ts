import { AddressChange } from '../../../schemas/rows/address-change.ts';
import { ex, put, read, remove } from './client.ts';

/** The AddressChanges table: an item for each account that has changed its address or asked to. */
export const addressChangesTable = (table: string) => ({
  read: (id: string) => read(table, { id }, AddressChange),

  /** Writes over the previous version. Returns false and changes nothing if another write came first. */
  write(change: AddressChange) {
    const before = change.version - 1;
    return put(table, change, ex`attribute_not_exists(id) AND ${before} = ${0} OR #version = ${before}`);
  },

  async remove(id: string) {
    await remove(table, { id });
  },
});
export type AddressChangesTable = ReturnType<typeof addressChangesTable>;
