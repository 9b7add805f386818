import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pressRows, refusedCalls } from '../../fixtures/worlds/refusal-table.ts';
import { testRefusals } from '../../fixtures/worlds/refused-calls.ts';

/**
 * Every call to Stripe is refused in every way: once, for three hours, and for ever. It is the call for
 * one user where a call is for one user. Then:
 *
 * - the user can buy, cancel and delete the account. Where the refused call is what the press is about, the
 *   answer is 503 with `stripe-unavailable`, and it works once the refusal ends. The table says which;
 * - the plan stays as it was decided, and nobody who pays is taken off Plus;
 * - another user's events are followed, and the catch-up's cursor moves;
 * - what is left is a task. It is tried every hour. After a refusal that ended within two weeks, all is done
 *   within an hour and a run, so within two hours. Otherwise it is given up. The log names it after a day and
 *   at its end.
 */
describe('a refusal by Stripe locks nobody out', () => {
  testRefusals(pressRows, refusedCalls);
});

test('every call to Stripe in calls.txt is refused', () => {
  const calls = readFileSync(new URL('calls.txt', import.meta.url), 'utf8');
  const recorded = [...calls.matchAll(/Stripe ((?:GET|POST|DELETE) \/v1\/[\w/:]+)/g)].map(
    (match) => match[1],
  );
  expect(recorded.length).toBeGreaterThan(0);
  expect(recorded.filter((call) => !refusedCalls.has(String(call)))).toEqual([]);
});
