import { describe, expect, test } from 'vitest';
import { noChanges } from '../../../../functions/domain/address-change.ts';
import * as waiting from '../../../../functions/domain/waiting-deletion.ts';
import type { AddressChange, UndoLink } from '../../../../schemas/rows/address-change.ts';

// Whole use cases are in tests/unit/functions/accounts.

const DAY = 86_400_000;
const now = new Date('2026-01-20T12:00:00Z');
const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
const link = (email: string, days: number, fields: Partial<UndoLink> = {}): UndoLink => ({
  email,
  token_hash: `${email} ${days}`,
  changed_at: at(-days * DAY),
  ...fields,
});
const changeWith = (fields: Partial<AddressChange> = {}): AddressChange => ({
  ...noChanges('ada'),
  ...fields,
});
const deletion = { requested_at: at(-DAY), due_at: at(DAY) };

test('earlier addresses are those of open links of address changes, each once, without the account’s own', () => {
  const change = changeWith({
    earlier: [
      link('past@example.com', 7),
      link('a@example.com', 3),
      link('own@example.com', 2),
      link('a@example.com', 1),
      link('provider@example.com', 1, { of: 'provider' }),
    ],
  });
  expect(waiting.earlierMailboxes(change, 'own@example.com', now)).toEqual([
    { email: 'a@example.com', replacedAt: new Date(at(-3 * DAY)) },
  ]);
  for (const [email, expected] of [
    ['a@example.com', true],
    ['own@example.com', true],
    ['past@example.com', false],
    ['provider@example.com', false],
    [undefined, false],
  ] as const) {
    expect(waiting.isEarlierAddress(change, email, now)).toBe(expected);
  }
  expect(waiting.isEarlierAddress(changeWith(), 'a@example.com', now)).toBe(false);
});

describe('a requested deletion', () => {
  test('waits until the last link has ended', () => {
    const change = changeWith({ earlier: [link('a@example.com', 3), link('b@example.com', 1)] });
    expect(waiting.deletionRequested(change, now)).toMatchObject({
      deletion: { requested_at: at(0), due_at: at(6 * DAY) },
      leased_until: at(60_000),
    });
  });

  test('waits for the turn if it is at once or was requested before, and else takes it', () => {
    const busy = { leased_until: at(1) };
    const open = [link('a@example.com', 1)];
    expect(waiting.deletionRequested(changeWith(busy), now)).toBeUndefined();
    expect(waiting.deletionRequested(changeWith({ ...busy, earlier: open, deletion }), now)).toBeUndefined();
    expect(waiting.deletionRequested(changeWith({ ...busy, earlier: open }), now)).toMatchObject(busy);
    expect(waiting.deletionRequested(changeWith(), now)).not.toHaveProperty('deletion');
    expect(waiting.deletionRequested(changeWith({ earlier: open, deletion }), now)).toMatchObject({
      deletion,
    });
  });

  test('is withdrawn by the request that has the turn', () => {
    const requested = changeWith({
      deletion,
      leased_until: at(1),
      barred: [{ provider: 'google', id: '1' }],
    });
    expect(waiting.deletionWithdrawn(requested, at(1), now)).toStrictEqual(
      changeWith({ barred: [{ provider: 'google', id: '1' }], version: 1 }),
    );
    expect(waiting.deletionWithdrawn(requested, at(2), now)).toBeUndefined();
  });

  test('begins at its time, and not before', () => {
    expect(waiting.deletionBegun(changeWith(), now)).toBeUndefined();
    expect(waiting.deletionBegun(changeWith({ deletion }), now)).toBeUndefined();
    const due = { ...deletion, due_at: at(0) };
    expect(waiting.deletionBegun(changeWith({ deletion: due }), now)?.deletion).toEqual({
      ...due,
      begun: true,
    });
  });
});

test('the mails about a deletion have a link for each earlier address, one of them the oldest, and for the own', () => {
  const links = [
    link('a@example.com', 3),
    link('a@example.com', 2),
    link('p@example.com', 1, { of: 'provider' }),
    link('old@example.com', 1, { of: 'deletion' }),
  ];
  const change = changeWith({ deletion, earlier: links });
  const mailed = waiting.linksMailed(
    change,
    {
      earlier: new Map([
        ['a@example.com', 'hash of a'],
        ['p@example.com', 'hash of p'],
      ]),
      own: { email: 'own@example.com', token_hash: 'hash of own' },
    },
    now,
  );
  expect(mailed?.earlier).toStrictEqual([
    { ...links[0], deletion_hash: 'hash of a' },
    links[1],
    links[2],
    // It ends with the deletion's wait.
    { email: 'own@example.com', token_hash: 'hash of own', changed_at: at(-6 * DAY), of: 'deletion' },
  ]);
  expect(waiting.linksMailed(changeWith({ earlier: links }), { earlier: new Map() }, now)).toBeUndefined();
  const done = changeWith({ deletion: { ...deletion, mailed: true } });
  expect(waiting.linksMailed(done, { earlier: new Map() }, now)).toBeUndefined();
  expect(waiting.allMailed(change, now)?.deletion).toEqual({ ...deletion, mailed: true });
});

test('a deletion that support orders is due at once, or once the last link has ended, and is ordered once', () => {
  const dueOf = (change: AddressChange) => waiting.deletionOrdered(change, now)?.deletion;
  expect(dueOf(changeWith())).toEqual({ requested_at: at(0), due_at: at(0) });
  const change = changeWith({ earlier: [link('a@example.com', 3)] });
  expect(dueOf(change)).toEqual({ requested_at: at(0), due_at: at(4 * DAY) });
  expect(dueOf({ ...change, deletion })).toBeUndefined();
});
