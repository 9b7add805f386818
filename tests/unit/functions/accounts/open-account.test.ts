import { beforeEach, expect, test, vi } from 'vitest';
import { finishConfirmation, setPasswordOf } from '../../../../functions/accounts/open-account.ts';
import { removalMark } from '../../../../functions/accounts/address-ownership.ts';
import { addressDependencies } from '../../../fixtures/fakes/address-world.ts';

const now = new Date('2026-01-20T12:00:00Z');
const email = 'ada@example.com';
const password = 'her own password';
let world: ReturnType<typeof addressDependencies>;
beforeEach(() => {
  world = addressDependencies();
});
const account = () => world.pool.of('ada');
const finish = () => finishConfirmation(world, account(), email, now);

test('a password verifies the address of an account that has not proved it, and no other', async () => {
  const verify = vi.spyOn(world.pool, 'verify');
  for (const state of [{ status: 'UNCONFIRMED' }, { emailVerified: false }, {}]) {
    world.pool.put({ username: 'ada', email, ...state });
    await setPasswordOf(world, account(), { email, password, name: 'Ada King' }, now);
    expect(account()).toMatchObject({ status: 'CONFIRMED', emailVerified: true, password });
  }
  // Anyone may have typed the name of an account that was never confirmed.
  expect(verify.mock.calls).toEqual([
    ['ada', 'Ada King'],
    ['ada', undefined],
  ]);
});

test('a confirmed account has its address and its row, which names the address in lower case', async () => {
  world.pool.put({ username: 'ada', email });
  await finishConfirmation(world, account(), 'Ada@Example.com', now);
  expect(world.planTable.rows.get('ada')).toMatchObject({ plan: 'free', address: email });
});

test('a confirmed account stays where another has its address, and one that was just confirmed goes', async () => {
  world.pool.put({ username: 'google_1', email, status: 'EXTERNAL_PROVIDER' });
  for (const [status, stays] of [
    ['CONFIRMED', true],
    ['UNCONFIRMED', false],
  ] as const) {
    world.pool.put({ username: 'ada', email, status });
    world.addresses.owners.set(email, 'google_1');
    await expect(finish()).rejects.toMatchObject({ code: 'address-taken' });
    expect(world.pool.accounts.has('ada')).toBe(stays);
  }
  expect(world.planTable.rows.size).toBe(0);
});

test('an account that is being removed as never confirmed goes, although it was confirmed', async () => {
  world.pool.put({ username: 'ada', email });
  world.addresses.owners.set(email, removalMark('ada'));
  await expect(finish()).rejects.toMatchObject({ code: 'busy' });
  expect(world.pool.accounts.has('ada')).toBe(false);
});
