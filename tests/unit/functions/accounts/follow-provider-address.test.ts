import { beforeEach, describe, expect, test } from 'vitest';
import { followProviderAddress } from '../../../../functions/accounts/follow-provider-address.ts';
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
const ownAddress = () => {
  const { email, emailVerified } = world.pool.of('google_1');
  return { email, emailVerified };
};

describe('an address that was changed at the provider', () => {
  test('is claimed, mailed to the earlier address, and sent to Stripe and the waitlist', async () => {
    world.waitlist.entries.set(before, { name: 'Ada', email: before, created_at: now.toISOString() });
    expect(await signIn('New@Example.com')).toBeUndefined();
    expect([...world.addresses.owners]).toEqual([[after, 'google_1']]);
    expect(world.planTable.rows.get('ada')).toMatchObject({ address: after });
    expect(world.mail.sent).toMatchObject([{ to: before, email: { name: 'provider-address-changed' } }]);
    expect([...world.tasks.items.values()]).toMatchObject([{ work: 'address', customer_id: 'cus_ada' }]);
    expect([...world.waitlist.entries.keys()]).toEqual([after]);
    expect(log.lines).toContainEqual({ event: 'address-followed', user: 'ada' });
    await signIn(after);
    expect(world.mail.sent).toHaveLength(1);
  });

  test('is followed by the next sign-in if the mail to the earlier address failed', async () => {
    world.mail.down = true;
    await signIn(after);
    expect(world.planTable.rows.get('ada')).toMatchObject({ address: before });
    world.mail.down = false;
    await signIn(after);
    expect(world.planTable.rows.get('ada')).toMatchObject({ address: after });
    expect(world.mail.sent).toHaveLength(1);
    expect(world.addresses.owners.has(before)).toBe(false);
  });

  test('is claimed without a mail for a row that names no address', async () => {
    world.planTable.put({ id: 'ada' });
    expect(await signIn(after)).toBeUndefined();
    expect(world.planTable.rows.get('ada')).toMatchObject({ address: after });
    expect(world.addresses.owners.get(after)).toBe('google_1');
    expect(world.mail.sent).toEqual([]);
  });

  test('is claimed without a row', async () => {
    world.planTable.rows.clear();
    expect(await signIn(after)).toBeUndefined();
    expect(world.addresses.owners.get(after)).toBe('google_1');
    expect(world.planTable.rows.size).toBe(0);
  });

  test('changes nothing for an account that is being deleted', async () => {
    world.planTable.put({ id: 'ada', closing_until: '2026-01-20T12:01:00.000Z' });
    await signIn(after);
    expect([...world.addresses.owners.keys()]).toEqual([before]);
  });

  test('changes nothing while the provider has not verified it', async () => {
    expect(await signIn(after, false)).toBeUndefined();
    expect(ownAddress()).toEqual({ email: before, emailVerified: true });
    expect([...world.addresses.owners.keys()]).toEqual([before]);
    expect(world.mail.sent).toEqual([]);
  });
});

test('an account that was never confirmed, and whose address another one gets, is deleted', async () => {
  world.pool.put({ username: 'stranger', status: 'UNCONFIRMED', email: after });
  expect(await signIn(after)).toBeUndefined();
  expect([...world.pool.accounts.keys()]).toEqual(['google_1']);
  expect(world.addresses.owners.get(after)).toBe('google_1');
});

describe('the address of another account', () => {
  test.each([
    ['password', { username: 'bob' }],
    ['github', { username: 'github_2', sub: 'bob', status: 'EXTERNAL_PROVIDER' }],
  ] as const)('is refused with its way in, %s, and the account keeps its own address', async (way, bob) => {
    world.pool.put({ ...bob, email: after });
    world.addresses.owners.set(after, bob.username);
    expect(await signIn(after)).toBe(otherWayIn(way));
    expect(ownAddress()).toEqual({ email: before, emailVerified: true });
    expect(world.addresses.owners.get(after)).toBe(bob.username);
    expect(world.planTable.rows.get('ada')).toMatchObject({ address: before });
  });
});
