import { expect, test, vi } from 'vitest';
import type { Owner } from '../../../../functions/domain/mark.ts';
import { userOfCustomer } from '../../../../functions/plans/user-of-customer.ts';
import { MemoryBilling } from '../../../fixtures/fakes/memory-billing.ts';

test.each<[string, Owner | undefined, string | undefined]>([
  ['another user’s', { kind: 'ours', userId: 'ada' }, 'ada'],
  ['ours without a user', { kind: 'ours', userId: undefined }, 'eve'],
  ['another product’s', { kind: 'unmarked' }, 'eve'],
  ['another stage’s', { kind: 'foreign' }, undefined],
  ['deleted', undefined, 'eve'],
])('a customer that is %s decides before the mark of its subscription', async (_, owner, expected) => {
  const billing = new MemoryBilling();
  vi.spyOn(billing, 'ownerOf').mockResolvedValue(owner);
  expect(await userOfCustomer({ billing }, { customerId: 'cus_1', userId: 'eve' })).toBe(expected);
});
