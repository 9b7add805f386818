import { beforeEach, expect, test, vi } from 'vitest';
import { AccountWorld } from '../../../fixtures/fakes/account-world.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const A = 'ada@example.com';
const B = 'thief@evil.example';

watchLog();
const start = stopClock('2026-01-20T12:00:00Z');
let world: AccountWorld;

/** A thief who knows the password moves the account to another address, and does everything else. */
const steal = async (): Promise<string> => {
  vi.setSystemTime(start);
  world = await AccountWorld.with(A, 20);
  const thief = world.actor();
  const first = String(await thief.signIn(A, 'correct horse'));
  await thief.changeEmail(first, B);
  expect(await thief.confirmEmail(first, world.codeTo(B))).toMatchObject({ status: 200 });
  vi.setSystemTime(Date.now() + MINUTE);
  const second = String(await thief.signIn(B, 'correct horse'));
  expect(await thief.changePassword(second, 'correct horse', 'the thief’s')).toMatchObject({ status: 200 });
  vi.setSystemTime(Date.now() + MINUTE);
  const session = String(await thief.tokenWith('google_666', B));
  const [subscription] = world.parts.billing.subscriptions.keys();
  expect(await thief.cancel(session, String(subscription))).toMatchObject({ status: 200 });
  const { status, body } = await thief.deleteAccount(session);
  expect([status, body['deletesAt']]).toEqual([200, expect.any(String)]);
  return session;
};
const namesOf = (address: string) => world.mailsTo(address).map(({ name }) => name);

let session: string;
beforeEach(async () => void (session = await steal()));

test('each act of a thief is mailed to the owner’s address with the way back, and the last link gives everything back', async () => {
  const acts = ['password-changed', 'provider-linked', 'subscription-cancelled', 'account-deletion'];
  expect(namesOf(A)).toEqual(['email-changed', ...acts]);
  // The first mail has the link, and the last another.
  for (const { text } of world.mailsTo(A).slice(1, -1)) {
    expect(text).toContain('had this address until January 20, 2026');
  }
  expect(namesOf(B)).toEqual(['email-code', ...acts]);
  const owner = world.actor();
  expect(await owner.undo(String(world.tokensTo(A).at(-1)))).toMatchObject({ status: 200 });
  expect(namesOf(B).at(-1)).toBe('email-change-undone');
  expect(world.parts.pool.resets).toEqual([A]);
  // A second mail about a password is sent after five minutes.
  vi.setSystemTime(Date.now() + 6 * MINUTE);
  expect(await owner.resetPassword(A, 'battery staple')).toBe(true);
  expect(namesOf(A).at(-1)).toBe('password-changed');

  expect(world.isLive(await owner.signIn(A, 'battery staple'))).toBe(true);
  expect(world.isLive(session)).toBe(false);
  for (const password of ['correct horse', 'the thief’s']) {
    for (const address of [A, B]) expect(await owner.signIn(address, password)).toBeUndefined();
  }
  expect(world.isLive(await owner.tokenWith('google_666', B))).toBe(false);
  expect(world.ada).toMatchObject({ email: A, emailVerified: true, enabled: true, identities: [] });
  expect(world.row).toMatchObject({ plan: 'plus', created_at: start.toISOString() });
  expect(world.row).not.toHaveProperty('closing_until');
  await world.pass(8 * DAY);
  expect(world.ada?.enabled).toBe(true);
  const [subscription] = world.parts.billing.subscriptions.values();
  expect(subscription).toMatchObject({ status: 'active', endsByDeletion: false });
});

test('after seven days without an undo, the deletion has happened, which is mailed, and nothing is left', async () => {
  await world.pass(8 * DAY);
  expect(world.ada).toBeUndefined();
  expect(namesOf(B).at(-1)).toBe('account-deleted');
  expect(namesOf(A)).not.toContain('account-deleted');
  const { planTable, addresses, addressChanges, billing, tasks } = world.parts;
  for (const { size } of [planTable.rows, addressChanges.items, billing.customers]) expect(size).toBe(0);
  expect([...addresses.owners.values()]).not.toContain('ada');
  // The period of the theft was paid before.
  expect(billing.payments).toHaveLength(1);
  // Within a week, the task that looks for a reminder finds no row.
  expect([...tasks.items.values()].filter(({ work }) => work !== 'remind')).toEqual([]);
});
