import { describe, expect, test } from 'vitest';
import * as changes from '../../../../functions/domain/address-change.ts';
import type { AddressChange, UndoLink } from '../../../../schemas/rows/address-change.ts';

// Whole use cases are in tests/unit/functions/accounts.

const DAY = 86_400_000;
const now = new Date('2026-01-20T12:00:00Z');
const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
const google = { provider: 'google', id: '1' } as const;
const link = (fields: Partial<UndoLink> = {}): UndoLink => ({
  email: 'first@example.com',
  token_hash: 'token',
  changed_at: at(-DAY),
  ...fields,
});
const changeWith = (fields: Partial<AddressChange> = {}): AddressChange => ({
  ...changes.noChanges('ada'),
  ...fields,
});
const deletion = { requested_at: at(-DAY), due_at: at(DAY) };
const pending = {
  email: 'new@example.com',
  code_hash: 'code',
  salt: 'salt',
  tries: 0,
  expires_at: at(1),
};

test('a version is kept for seven days after it is written, and for good where something must not be forgotten', () => {
  const { expires_at } = changes.written(changeWith(), now);
  expect(expires_at).toBe((now.getTime() + 7 * DAY) / 1000);
  for (const fields of [{ deletion }, { barred: [google] }, { disconnected: [google] }]) {
    expect(changes.written(changeWith({ ...fields, expires_at: 1 }), now)).toStrictEqual(
      changeWith({ ...fields, version: 1 }),
    );
  }
});

test('a code works for a quarter of an hour', () => {
  const change = changes.requested(changeWith(), pending, now) ?? changeWith();
  const after = (milliseconds: number) => changes.pendingAt(change, new Date(at(milliseconds)));
  expect(after(15 * 60_000 - 1)).toMatchObject({ email: 'new@example.com', tries: 0 });
  expect(after(15 * 60_000)).toBeUndefined();
});

test('a dropped change leaves everything else', () => {
  const before = changeWith({ pending, current: 'ada@example.com', barred: [google] });
  expect(changes.abandoned(before, now)).toStrictEqual(
    changeWith({ current: 'ada@example.com', barred: [google], version: 1 }),
  );
});

test('a link works until seven days after its change', () => {
  expect(changes.endOf(link({ changed_at: at(0) })).toISOString()).toBe(at(7 * DAY));
  expect(changes.beginOf(new Date(at(7 * DAY))).toISOString()).toBe(at(0));
  const [past, open] = [link({ changed_at: at(-7 * DAY) }), link({ changed_at: at(1 - 7 * DAY) })];
  expect(changes.openLinks(changeWith({ earlier: [past, open] }), now)).toEqual([open]);
});

test('a link is found by its own token and by that of the mail about a deletion, while it works', () => {
  const both = link({ token_hash: 'own', deletion_hash: 'of the deletion' });
  const change = changeWith({ earlier: [link(), both] });
  expect(changes.linkBy(change, 'own', now)).toBe(both);
  expect(changes.linkBy(change, 'of the deletion', now)).toBe(both);
  expect(changes.linkBy(change, 'another', now)).toBeUndefined();
  expect(changes.linkBy(change, 'own', new Date(at(6 * DAY)))).toBeUndefined();
});

describe('a turn', () => {
  test('is taken until its time, and given to whoever has it', () => {
    expect(changes.isBusy(changeWith(), now)).toBe(false);
    expect(changes.isBusy(changeWith({ leased_until: at(0) }), now)).toBe(false);
    expect(changes.isBusy(changeWith({ leased_until: at(1) }), now)).toBe(true);
    expect(changes.turnOf(changeWith(), now)).toEqual({ leased_until: at(60_000) });
    expect(changes.turnOf(changeWith({ leased_until: at(0) }), now)).toEqual({ leased_until: at(60_000) });
    expect(changes.turnOf(changeWith({ leased_until: at(1) }), now)).toEqual({ leased_until: at(1) });
  });

  test('ends with the request that has it', () => {
    const busy = changeWith({ leased_until: at(1), barred: [google] });
    expect(changes.leaseEnded(busy, at(1), now)).toStrictEqual(changeWith({ barred: [google], version: 1 }));
    expect(changes.leaseEnded(busy, at(2), now)).toBeUndefined();
  });
});

describe('while an account is held', () => {
  test.each<[string, Partial<AddressChange>]>([
    ['for its deletion', { deletion }],
    ['by an undo', { locked: true }],
    ['by a request that has the turn', { leased_until: at(1) }],
  ])('%s, no address is confirmed and no provider linked', (_, fields) => {
    const held = changeWith({ pending, ...fields });
    const linking = { email: 'ada@example.com', token_hash: 'token', identity: google };
    expect(changes.confirmed(held, 'code', link(), now)).toBeUndefined();
    expect(changes.providerLinked(held, linking, now)).toBeUndefined();
    expect(changes.confirmed(changeWith({ pending }), 'code', link(), now)).toBeDefined();
    expect(changes.providerLinked(changeWith({ pending }), linking, now)).toBeDefined();
  });
});

test('a provider’s account that an undo has taken off is not linked again, and no other is refused', () => {
  const barred = changeWith({ barred: [google] });
  const others = [
    { provider: 'google', id: '2' },
    { provider: 'github', id: '1' },
  ] as const;
  const linked = (change: AddressChange, identity: typeof google | (typeof others)[number]) =>
    changes.providerLinked(change, { email: 'ada@example.com', token_hash: 'token', identity }, now);
  expect(changes.isBarred(changeWith(), google)).toBe(false);
  expect(changes.isBarred(barred, google)).toBe(true);
  expect(linked(barred, google)).toBeUndefined();
  for (const other of others) {
    expect(changes.isBarred(barred, other)).toBe(false);
    expect(linked(barred, other)).toBeDefined();
  }
});

describe('an undo', () => {
  const first = link({ token_hash: 'first' });
  const linkedBefore = link({
    token_hash: 'before',
    of: 'provider',
    identity: { provider: 'google', id: '0' },
  });
  const linked = link({ token_hash: 'linked', of: 'provider', identity: google });
  const second = link({ token_hash: 'second', email: 'second@example.com' });
  const changed = changeWith({
    earlier: [linkedBefore, first, linked, second],
    current: 'third@example.com',
    pending,
  });

  test('goes back to the address of its link, and takes off what was linked since', () => {
    expect(changes.undone(changed, 'first', now)).toStrictEqual(
      changeWith({
        version: 1,
        barred: [google],
        current: 'first@example.com',
        earlier: [linkedBefore, first],
        locked: true,
        replaced: ['second@example.com', 'third@example.com'],
        leased_until: at(60_000),
      }),
    );
  });

  test('bars each provider’s account once', () => {
    const once = changes.undone({ ...changed, barred: [google] }, 'first', now);
    expect(once?.barred).toEqual([google]);
    const other = { provider: 'github', id: '9' } as const;
    expect(changes.undone({ ...changed, barred: [other] }, 'first', now)?.barred).toEqual([other, google]);
    expect(changes.undone({ ...changed, barred: [other] }, 'second', now)?.barred).toEqual([other]);
    expect(changes.undone(changed, 'second', now)).not.toHaveProperty('barred');
  });

  test('replaces no address of an account that has had none since', () => {
    const { current: _, ...without } = changed;
    expect(changes.undone(without, 'second', now)?.replaced).toEqual([]);
  });

  test('needs its link, and a deletion that has not begun', () => {
    expect(changes.undone(changed, 'unknown', now)).toBeUndefined();
    expect(changes.undone({ ...changed, deletion }, 'first', now)).not.toHaveProperty('deletion');
    expect(
      changes.undone({ ...changed, deletion: { ...deletion, begun: true } }, 'first', now),
    ).toBeUndefined();
  });

  test('is finished while its address is the current one', () => {
    const undone = changes.undone(changed, 'first', now) ?? changed;
    expect(changes.undoFinished(undone, 'first', now)).toStrictEqual(
      changeWith({ version: 2, barred: [google], current: 'first@example.com', earlier: [linkedBefore] }),
    );
    expect(changes.undoFinished(undone, 'unknown', now)).toBeUndefined();
    expect(changes.undoFinished({ ...undone, current: 'else@example.com' }, 'first', now)).toBeUndefined();
  });
});

test('a provider that the user disconnects is barred until the user allows it again, and no other is', () => {
  const [github, other] = [{ provider: 'github', id: '1' } as const, { ...google, id: '2' }];
  const both = changes.providersDisconnected(changeWith(), [google, github], now)!;
  expect(both).toStrictEqual(changeWith({ disconnected: [google, github], version: 1 }));
  expect(changes.providersDisconnected(both, [google], now)).toBe(both);
  const more = changes.providersDisconnected(both, [google, other], now);
  expect(more?.disconnected).toEqual([google, github, other]);
  expect([google, other].map((identity) => changes.isBarred(both, identity))).toEqual([true, false]);

  const allowed = changes.providerAllowed(both, 'google', now)!;
  expect(allowed).toStrictEqual(changeWith({ disconnected: [github], version: 2 }));
  expect(changes.providerAllowed(allowed, 'google', now)).toBeUndefined();
  expect(changes.providerAllowed(changeWith(), 'google', now)).toBeUndefined();
  expect(changes.providerAllowed(allowed, 'github', now)).not.toHaveProperty('disconnected');
});
