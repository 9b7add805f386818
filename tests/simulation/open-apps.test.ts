import { expect, test } from 'vitest';
import { SESSION_REQUESTS } from '../../infra/constructs/firewall/firewall.ts';
import type { Plan } from '../../schemas/rows/plan.ts';
import { endpoint, maxAge } from '../../schemas/routes/plan.ts';

const APPS = 10_000;
const HOUR = 3_600;
const WEEK = 7 * 24 * HOUR;
/** The part of all users that is on Plus. */
const ON_PLUS = 0.03;
/** Purchases in the week: one user in twenty. */
const PURCHASES = APPS / 20;
const NOW = new Date('2026-01-19T08:00:00Z');

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const planOf = (plan: Plan['plan']): Plan => ({
  plan,
  planExpiresAt: null,
  stripeSubscriptionId: null,
  createdAt: null,
  lastSignInAt: null,
});
const pause = { free: maxAge(planOf('free'), NOW), plus: maxAge(planOf('plus'), NOW) };

test('ten thousand apps that do as the answer says stay below every limit, and notice a purchase in a minute', () => {
  const random = randomNumbers(1);
  // All of them are opened within ten minutes of a Monday morning, and stay open for the week.
  const apps = Array.from({ length: APPS }, () => ({
    opened: random() * 600,
    pause: random() < ON_PLUS ? pause.plus : pause.free,
  }));
  const inSecond = new Uint32Array(HOUR);
  for (const app of apps) {
    for (let at = app.opened; at < HOUR; at += app.pause) inSecond[Math.floor(at)]! += 1;
  }
  // The first hour is the busiest: later, the same apps ask at the same pauses.
  expect(Math.max(...inSecond)).toBeLessThan(endpoint.throttle.rate / 5);
  expect(60 / pause.free).toBeLessThan(SESSION_REQUESTS / 10);

  const noticed = Array.from({ length: PURCHASES }, () => {
    const app = apps[Math.floor(random() * APPS)]!;
    const bought = app.opened + random() * (WEEK - app.opened);
    const asked = Math.ceil((bought - app.opened) / pause.free) * pause.free + app.opened;
    return asked - bought;
  });
  expect(Math.max(...noticed)).toBeLessThanOrEqual(60);
});
