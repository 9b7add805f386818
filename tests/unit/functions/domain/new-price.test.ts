import { expect, test } from 'vitest';
import { isToMove, renewalFrom } from '../../../../functions/domain/new-price.ts';
import { subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';

const price = { id: 'price_2', amount: 900, currency: 'usd', interval: 'month' } as const;

test('a price moves the subscriptions that differ in nothing but the amount', () => {
  expect(isToMove(subscriptionWith(), price)).toBe(true);
  for (const fields of [
    { status: 'canceled' },
    { hasSiteTerms: false },
    { currency: 'eur' },
    { interval: 'year' },
    { amount: price.amount },
  ] as const) {
    expect(isToMove(subscriptionWith(fields), price)).toBe(false);
  }
});

test.each([
  ['2026-01-31', 'month', '2026-02-10', '2026-02-28'],
  ['2026-01-31', 'month', '2026-03-01', '2026-03-31'],
  ['2026-01-15', 'month', '2026-02-15', '2026-02-15'],
  ['2026-01-15', 'month', '2026-12-16', '2027-01-15'],
  ['2024-02-29', 'year', '2026-01-01', '2026-02-28'],
] as const)('a subscription from %s, by %s, renews after %s on %s', (anchor, interval, from, expected) => {
  const unix = (day: string) => Date.parse(`${day}T10:00:00Z`) / 1000;
  expect(renewalFrom({ anchor: unix(anchor), interval }, unix(from))).toBe(unix(expected));
});
