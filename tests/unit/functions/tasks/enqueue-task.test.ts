import { expect, test } from 'vitest';
import { enqueueTask } from '../../../../functions/tasks/enqueue-task.ts';
import { memoryTasks } from '../../../fixtures/fakes/memory-adapters.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
watchLog();

test('a task is due an hour after its failure, so that a pool that lags has time', async () => {
  const tasks = memoryTasks();
  const task = { work: 'reconcile', customer_id: 'cus_ada', user_id: 'ada' } as const;
  await enqueueTask({ tasks }, task, new Error('No.'), now);
  expect([...tasks.items.values()]).toMatchObject([
    { work: 'reconcile', due: '2026-01-20T13:00:00.000Z', failure: 'Error: No.' },
  ]);
});
