import { expect, test } from 'vitest';
import { enqueuePlanNotices, reminderStep } from '../../../../functions/notices/enqueue-plan-notices.ts';
import { memoryTasks } from '../../../fixtures/fakes/memory-adapters.ts';

const now = new Date('2026-01-20T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000).toISOString();
const DAY = 24 * 60;
const plus = { plan: 'plus' } as const;
const ending = (days: number) => ({ ...plus, plan_expires_at: minutes(days * DAY) });

/** The tasks after a decision, with the time when each is due. */
async function tasksOf(
  fields: typeof plus | ReturnType<typeof ending>,
  hasNotices: boolean,
  before = fields,
) {
  const tasks = memoryTasks();
  const row = { id: 'ada', version: 1, ...before };
  await enqueuePlanNotices({ tasks }, row, { fields, hasNotices }, now);
  return [...tasks.items.values()].map(({ work, due }) => [work, due]);
}

test('a mail is due in two minutes, and a reminder of a new end three days before, looked at each week until then', async () => {
  expect(await tasksOf(ending(30), false, plus)).toEqual([['remind', minutes(7 * DAY)]]);
  expect(await tasksOf(ending(30), false)).toEqual([]);
  expect(await tasksOf(ending(8), true, plus)).toEqual([
    ['notify', minutes(2)],
    ['remind', minutes(5 * DAY)],
  ]);
  // The mail about the end itself comes within the three days.
  expect(reminderStep(ending(3), now)).toBeUndefined();
  expect(reminderStep(plus, now)).toBeUndefined();
});
