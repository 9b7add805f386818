import { expect, test, vi } from 'vitest';
import { updateAddressChange } from '../../../../functions/accounts/update-address-change.ts';
import type { AddressChange } from '../../../../schemas/rows/address-change.ts';

const known: AddressChange = { id: 'ada', version: 1 };
const newer: AddressChange = { id: 'ada', version: 2 };
const next = (change: AddressChange): AddressChange => ({ ...change, version: change.version + 1 });
const table = (...written: boolean[]) => ({
  read: vi.fn(async () => newer as AddressChange | undefined),
  write: vi.fn(async () => written.shift() ?? false),
});

test('an update whose write comes second is decided again, by the item as it is then', async () => {
  const changes = table(false, true);
  const decide = vi.fn(next);
  expect(await updateAddressChange(changes, 'ada', decide, known)).toEqual({ id: 'ada', version: 3 });
  expect(decide.mock.calls).toEqual([[known], [newer]]);
  expect(changes.read).toHaveBeenCalledTimes(1);
});

test('an update is given up after five writes that came second', async () => {
  const changes = table();
  await expect(updateAddressChange(changes, 'ada', next)).rejects.toMatchObject({ code: 'busy' });
  expect(changes.write).toHaveBeenCalledTimes(5);
});

test('a decision that changes nothing writes nothing, and an account without an item begins one', async () => {
  const changes = table(true);
  expect(await updateAddressChange(changes, 'ada', () => undefined)).toBeUndefined();
  expect(changes.write).not.toHaveBeenCalled();
  changes.read.mockResolvedValue(undefined);
  expect(await updateAddressChange(changes, 'ada', next)).toEqual({ id: 'ada', version: 1 });
});
