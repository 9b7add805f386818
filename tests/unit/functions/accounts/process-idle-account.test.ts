import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { anyAction, IdleHistory } from '../../../fixtures/fakes/idle-history.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

watchLog();
// A reconciliation that loses the write retries at once.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

test('in years of idling, buying and failing, nobody is deleted who pays, has returned or was not warned twice in time, and all others are', async () => {
  let deleted = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { maxLength: 20, size: 'max' }), async (actions) => {
      const history = new IdleHistory();
      await history.begin();
      for (const action of actions) await history.perform(action);
      await history.end();
      expect(history.violations).toEqual([]);
      if (history.exists) kept += 1;
      else deleted += 1;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(deleted, kept)).toBeGreaterThan(20);
});
