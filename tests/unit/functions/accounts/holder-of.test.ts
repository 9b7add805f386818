import { beforeEach, expect, test } from 'vitest';
import { holderOf } from '../../../../functions/accounts/holder-of.ts';
import { addressDependencies } from '../../../fixtures/fakes/address-world.ts';

const email = 'ada@example.com';
let world: ReturnType<typeof addressDependencies>;
beforeEach(() => {
  world = addressDependencies();
});
const holder = async () => (await holderOf(world, email))?.username;

test('an address leads to the account that has proved it, or waits for its confirmation', async () => {
  expect(await holder()).toBeUndefined();
  world.pool.put({ username: 'ada', email, status: 'UNCONFIRMED' });
  expect(await holder()).toBe('ada');
  world.pool.put({ username: 'ada', email });
  expect(await holder()).toBe('ada');
  world.pool.put({ username: 'google_1', email, status: 'EXTERNAL_PROVIDER' });
  world.addresses.owners.set(email, 'google_1');
  expect(await holder()).toBe('google_1');
});

test('an address leads to no account that support has confirmed without a proof', async () => {
  world.pool.put({ username: 'by-support', email, emailVerified: false });
  expect(await holder()).toBeUndefined();
});
