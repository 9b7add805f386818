import type { AddressChangesTable } from './address-changes-table.ts';

/** Reads the changes of an account's address. For handlers whose other calls need no table. */
export const storedAddressChanges = (table: string): Pick<AddressChangesTable, 'read'> => ({
  async read(id) {
    const { addressChangesTable } = await import('./address-changes-table.ts');
    return addressChangesTable(table).read(id);
  },
});
