import { beforeEach, describe, expect, test, vi } from 'vitest';
import { followProviderAddress } from '../../../../functions/accounts/follow-provider-address.ts';
import { noChanges, stopped } from '../../../../functions/domain/address-change.ts';
import { otherWayIn } from '../../../../schemas/trigger-refusals.ts';
import { addressDependencies } from '../../../fixtures/fakes/address-world.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = new Date('2026-01-20T12:00:00Z');
const [before, after] = ['old@example.com', 'new@example.com'];

const log = watchLog();
let world: ReturnType<typeof addressDependencies>;
beforeEach(() => {
  world = addressDependencies();
  world.planTable.put({ id: 'ada', address: before, billing_customer_id: 'cus_ada' });
  world.addresses.owners.set(before, 'google_1');
});

/** A sign-in with Google, which has written the address over the account's. */
const signIn = (email: string, emailVerified = true) => {
  world.pool.put({ username: 'google_1', sub: 'ada', status: 'EXTERNAL_PROVIDER', email, emailVerified });
  return followProviderAddress(world, { id: 'ada', username: 'google_1', email, emailVerified }, now);
};
const asked = () => world.mail.sent.map(({ to, email }) => [to, email.name]);

describe('an address that was changed at the provider', () => {
  test('takes the two mails of any change, once, and changes nothing before', async () => {
    expect(await signIn('New@Example.com')).toEqual({ address: before });
    expect(asked()).toEqual([
      [before, 'email-change-requested'],
      [after, 'email-proof'],
    ]);
    expect(world.addressChanges.items.get('ada')?.waiting).toMatchObject({ from: before, to: after });
    expect(world.pool.of('google_1')).toMatchObject({ email: before, emailVerified: true });
    expect([...world.addresses.owners.keys()]).toEqual([before]);
    expect(log.lines).toContainEqual({ event: 'address-brought', user: 'ada' });
    expect(await signIn(after)).toEqual({ address: before });
    expect(asked()).toHaveLength(2);
  });

  test('changes nothing where it is the account’s own, and is written to the linked account', async () => {
    const setAddress = vi.spyOn(world.pool, 'setAddress');
    expect(await signIn(before)).toEqual({ address: before });
    expect(setAddress).not.toHaveBeenCalled();
    const google = { provider: 'google', id: '1' } as const;
    const linked = [{ ...google, address: before }];
    world.addressChanges.items.set('ada', { id: 'ada', version: 1, linked });
    await signIn(after);
    expect(world.addressChanges.items.get('ada')?.linked).toEqual([{ ...google, address: after }]);
    expect(world.mail.sent[0]?.email.text).toContain('Google');
  });

  test('is not asked about while another change is being made, and at most ten times a day', async () => {
    const requested = { requested_at: now.toISOString(), due_at: now.toISOString() };
    const other = { id: '1', from: before, to: 'third@example.com', begun: true } as const;
    const waiting = { ...other, ...requested };
    world.addressChanges.items.set('ada', { id: 'ada', version: 1, waiting });
    await signIn(after);
    expect(asked()).toEqual([]);
    world.addressChanges.items.clear();
    for (let times = 0; times < 12; times += 1) await signIn(`new${times}@example.com`);
    expect(asked().filter(([to]) => to === before)).toHaveLength(10);
  });

  test('is asked about at most ten times a day at its own mailbox', async () => {
    while (await world.limits.take('new-address', after, now));
    await signIn(after);
    expect(asked()).toEqual([]);
    expect(log.of('address-brought')).toEqual([]);
  });

  test('that is not verified gives an account without one none', async () => {
    world.planTable.put({ id: 'ada', address: undefined });
    expect(await signIn(after, false)).toEqual({});
    expect([...world.addresses.owners.keys()]).toEqual([before]);
  });

  test('is asked about again by the next sign-in if the mail failed, and never again once it was declined', async () => {
    world.mail.down = true;
    expect(await signIn(after)).toEqual({ address: before });
    world.mail.down = false;
    await signIn(after);
    expect(asked()).toHaveLength(2);
    const waiting = world.addressChanges.items.get('ada');
    await world.addressChanges.write(stopped(waiting ?? noChanges('ada'), now, true) ?? noChanges('ada'));
    await signIn(after);
    expect(asked()).toHaveLength(2);
  });

  test('is claimed for a row that names no address, and without a row', async () => {
    for (const row of [{ address: undefined }, undefined]) {
      world.planTable.rows.clear();
      world.addresses.owners.clear();
      if (row) world.planTable.put({ id: 'ada', ...row });
      expect(await signIn(after)).toEqual({ address: after });
      expect(world.planTable.rows.get('ada')?.address).toBe(row && after);
      expect(world.addresses.owners.get(after)).toBe('google_1');
    }
    expect(asked()).toEqual([]);
  });

  test('changes nothing for an account that is being deleted, and while the provider has not verified it', async () => {
    expect(await signIn(after, false)).toEqual({ address: before });
    expect(world.pool.of('google_1')).toMatchObject({ email: before, emailVerified: true });
    world.planTable.put({ id: 'ada', closing_until: '2026-01-20T12:01:00.000Z' });
    expect(await signIn(after)).toEqual({});
    expect([...world.addresses.owners.keys()]).toEqual([before]);
    expect(asked()).toEqual([]);
  });

  test('is told to its account alone if another account has it', async () => {
    world.pool.put({ username: 'bob', email: after });
    world.addresses.owners.set(after, 'bob');
    expect(await signIn(after)).toEqual({ address: before });
    expect(asked()).toEqual([
      [before, 'email-change-requested'],
      [after, 'email-in-use'],
    ]);
    expect(world.addresses.owners.get(after)).toBe('bob');
  });
});

test.each([
  ['password', { username: 'bob' }],
  ['github', { username: 'github_2', sub: 'bob', status: 'EXTERNAL_PROVIDER' }],
] as const)(
  'an account without an address is refused that of another, with its way in: %s',
  async (way, bob) => {
    world.planTable.rows.clear();
    world.pool.put({ ...bob, email: after });
    world.addresses.owners.set(after, bob.username);
    expect(await signIn(after)).toEqual({ refused: otherWayIn(way) });
    expect(world.addresses.owners.get(after)).toBe(bob.username);
  },
);
