import { expect, test } from 'vitest';
import { enqueuePlanNotices, reminderStep } from '../../../../functions/notices/enqueue-plan-notices.ts';
import type { BillingState } from '../../../../schemas/rows/billing-state.ts';
import { memoryTasks } from '../../../fixtures/fakes/memory-adapters.ts';

const now = new Date('2026-01-20T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000).toISOString();
const DAY = 24 * 60;
const stateOf = (mailed: BillingState, seen: BillingState) => ({
  billing_notified: JSON.stringify(mailed),
  billing_seen: JSON.stringify(seen),
});
const row = { id: 'ada', plan: 'plus', version: 1 } as const;

/** The tasks after a decision from `mailed` to `seen`, with the time when each is due. */
async function tasksOf(mailed: BillingState, seen: BillingState, before: object = {}) {
  const tasks = memoryTasks();
  await enqueuePlanNotices({ tasks }, { ...row, ...before }, stateOf(mailed, seen), now);
  return [...tasks.items.values()].map(({ work, due }) => [work, due]);
}
const plus = { plan: 'plus' } as const;

test('a mail is due two minutes after the decision that causes it, and none where nothing is new', async () => {
  expect(await tasksOf(plus, { plan: 'free', ended: 'other' })).toEqual([['notify', minutes(2)]]);
  expect(await tasksOf(plus, plus)).toEqual([]);
});

test('a reminder of a new end is looked at three days before, and each week until then', async () => {
  const ending = (days: number) => ({ ...plus, ends: minutes(days * DAY) });
  const far = ending(30);
  expect(await tasksOf(far, far)).toEqual([['remind', minutes(7 * DAY)]]);
  expect(await tasksOf(far, far, stateOf(far, far))).toEqual([]);
  expect(await tasksOf(plus, ending(8))).toEqual([
    ['notify', minutes(2)],
    ['remind', minutes(5 * DAY)],
  ]);
  // The mail about the end itself comes within the three days.
  expect(reminderStep(stateOf(plus, ending(3)), now)).toBeUndefined();
});
