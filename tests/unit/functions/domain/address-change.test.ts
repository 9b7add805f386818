import { expect, test } from 'vitest';
import {
  agreed,
  begun,
  isDisconnected,
  noChanges,
  providerAllowed,
  providersDisconnected,
  requested,
  stopped,
} from '../../../../functions/domain/address-change.ts';
import type { AddressChange } from '../../../../schemas/rows/address-change.ts';

const now = new Date('2026-01-20T12:00:00Z');
const google = { provider: 'google', id: '1' } as const;
const github = { provider: 'github', id: '2' } as const;

const waiting = (fields: Partial<NonNullable<AddressChange['waiting']>> = {}): AddressChange => {
  const change = requested(noChanges('ada'), { id: 'first', from: 'a@x.example', to: 'b@x.example' }, now);
  if (!change?.waiting) throw new Error('The request was refused.');
  return { ...change, waiting: { ...change.waiting, ...fields } };
};

test('a change that has begun is neither replaced nor stopped nor begun again', () => {
  const change = waiting({ proved: true, approved: true, begun: true });
  expect(requested(change, { id: 'second', from: 'a@x.example', to: 'c@x.example' }, now)).toBeUndefined();
  expect(stopped(change, now)).toBeUndefined();
  expect(begun(change, now)).toBeUndefined();
});

test('an agreement counts for its own request, and once', () => {
  const change = waiting();
  expect(agreed(change, 'second', 'proved', now)).toBeUndefined();
  const proved = agreed(change, 'first', 'proved', now);
  expect(proved?.waiting?.proved).toBe(true);
  expect(proved && agreed(proved, 'first', 'proved', now)).toBeUndefined();
});

test('each write counts, and the item ends unless a provider is disconnected', () => {
  const change = waiting();
  expect(change).toMatchObject({ version: 1, expires_at: expect.any(Number) as number });
  const disconnected = providersDisconnected(change, [google], now);
  expect(disconnected).toMatchObject({ version: 2 });
  expect(disconnected?.expires_at).toBeUndefined();
});

test('a disconnected provider stays so until the user allows it again', () => {
  const change = providersDisconnected(noChanges('ada'), [google, github], now);
  if (!change) throw new Error('Nothing was written.');
  expect(providersDisconnected(change, [google], now)).toBeUndefined();
  const allowed = providerAllowed(change, 'google', now);
  expect([google, github].map((each) => isDisconnected(allowed ?? change, each))).toEqual([false, true]);
  expect(allowed && providerAllowed(allowed, 'google', now)).toBeUndefined();
});
