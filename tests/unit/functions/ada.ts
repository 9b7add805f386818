import { beforeEach } from 'vitest';
import { adaOnFree } from '../../fixtures/fakes/ada-on-free.ts';
import { stopClock, watchLog } from '../../fixtures/fakes/watch-log.ts';

/** The dependencies of the current test. */
export let ada = adaOnFree();
export let { planTable, billing, tasks, pool, mail } = ada;

/** Begins each test with the signed-in user `ada` on Free, at a stopped clock. */
export function beginOnFree(at = '2026-01-20T12:00:00Z') {
  const now = stopClock(at);
  const log = watchLog();
  beforeEach(() => {
    ada = adaOnFree();
    ({ planTable, billing, tasks, pool, mail } = ada);
  });
  return { now, log };
}
