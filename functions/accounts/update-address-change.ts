import type { AddressChange } from '../../schemas/rows/address-change.ts';
import type { AddressChangesTable } from '../adapters/dynamodb/address-changes-table.ts';
import { noChanges } from '../domain/address-change.ts';
import { Refusal } from '../runtime/refusal.ts';

// The writers of one item are tabs of one user, and links opened at the same time.
const ATTEMPTS = 5;

/**
 * Writes the version that `decide` returns of an account's changes of address; again if another write came
 * first. `decide` may return undefined to write nothing, and may refuse. `known`: as the caller has read it.
 */
export async function updateAddressChange(
  changes: Pick<AddressChangesTable, 'read' | 'write'>,
  id: string,
  decide: (change: AddressChange) => AddressChange | undefined,
  known?: AddressChange,
): Promise<AddressChange | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const existing = attempt === 0 && known ? known : await changes.read(id);
    const next = decide(existing ?? noChanges(id));
    if (!next || (await changes.write(next))) return next;
  }
  throw new Refusal('busy');
}
