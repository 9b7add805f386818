import { AddressChange } from '../../../schemas/rows/address-change.ts';
import { ex, put, read, remove } from './client.ts';

/** The AddressChanges table: an item for each account that has changed its address or asked to. */
export interface AddressChangesTable {
  /** A strongly consistent read. */
  read(id: string): Promise<AddressChange | undefined>;
  /** Writes over the previous version. Returns false and changes nothing if another write came first. */
  write(change: AddressChange): Promise<boolean>;
  remove(id: string): Promise<void>;
}

export const addressChangesTable = (table: string): AddressChangesTable => ({
  read: (id) => read(table, { id }, AddressChange),

  write(change) {
    const before = change.version - 1;
    return put(table, change, ex`attribute_not_exists(id) AND ${before} = ${0} OR #version = ${before}`);
  },

  async remove(id) {
    await remove(table, { id });
  },
});
