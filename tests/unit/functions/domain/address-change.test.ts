import { expect, test } from 'vitest';
import {
  addressBrought,
  agreed,
  begun,
  isDisconnected,
  noChanges,
  providerAllowed,
  providerLinked,
  providersDisconnected,
  providersTakenOff,
  requested,
  stopped,
  waitingAddressOf,
  waitingOf,
} from '../../../../functions/domain/address-change.ts';
import { retention } from '../../../../schemas/product/retention.ts';
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
  // The time for the approval, and thirty days for a late task.
  const until = now.getTime() / 1000 + (retention.daysToApprove + 30) * 86_400;
  expect(change).toMatchObject({ version: 1, expires_at: until });
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
  expect(allowed && providerAllowed(allowed, 'github', now)).not.toHaveProperty('disconnected');
});

test('a waiting change is shown with what has agreed to it, unless it is older than what was taken back', () => {
  const shown = (fields: Parameters<typeof waiting>[0]) => waitingAddressOf(waiting(fields).waiting!);
  expect(shown({ proved: true })).toMatchObject({ email: 'b@x.example', isProved: true, isApproved: false });
  expect(shown({ approved: true })).toMatchObject({ isProved: false, isApproved: true });
  const takenBack = (ms: number) => ({ valid_since: new Date(now.getTime() + ms).toISOString() });
  expect(waitingOf(waiting(), undefined)?.id).toBe('first');
  expect([0, 1].map((ms) => waitingOf(waiting(), takenBack(ms))?.id)).toEqual(['first', undefined]);
  expect(waitingOf(noChanges('ada'), undefined)).toBeUndefined();
});

test('the linked accounts are known with their addresses, each once', () => {
  const linked = (...list: AddressChange['linked'] & object) => ({ ...noChanges('ada'), linked: list });
  const [ofGoogle, ofGithub] = [
    { ...google, address: 'a@x.example' },
    { ...github, address: 'b@x.example' },
  ];
  expect(providerLinked(noChanges('ada'), google, 'a@x.example', now)?.linked).toEqual([ofGoogle]);
  const both = linked(ofGoogle, ofGithub);
  expect(providerLinked(both, google, 'a@x.example', now)).toBeUndefined();
  const moved = { ...google, address: 'b@x.example' };
  expect(providerLinked(both, google, 'b@x.example', now)?.linked).toEqual([ofGithub, moved]);
  expect(providersTakenOff(both, [google, { ...github, id: '3' }], now).linked).toEqual([ofGithub]);
  expect(providersTakenOff(both, [google, github], now)).not.toHaveProperty('linked');
});

test('another address is the only linked account’s; of several, none is known any more', () => {
  const linked = (...list: AddressChange['linked'] & object) => ({ ...noChanges('ada'), linked: list });
  const ofGoogle = { ...google, address: 'a@x.example' };
  expect(addressBrought(noChanges('ada'), 'b@x.example', now)).toBeUndefined();
  expect(addressBrought(linked(ofGoogle), 'a@x.example', now)).toBeUndefined();
  expect(addressBrought(linked(ofGoogle), 'b@x.example', now)?.linked).toEqual([
    { ...google, address: 'b@x.example' },
  ]);
  expect(addressBrought(linked(ofGoogle, github), 'b@x.example', now)?.linked).toEqual([google, github]);
  expect(addressBrought(linked(google, github), 'b@x.example', now)).toBeUndefined();
});
