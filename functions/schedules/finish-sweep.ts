import type { Outcome } from '../runtime/for-each-limit.ts';
import type { LogEvents } from '../../schemas/config/log-events.ts';
import { log } from '../runtime/log.ts';

/** Logs a sweep. Throws if an item failed or a shard could not be read. */
export function finishSweep(
  sweep: LogEvents['sweep-finished']['sweep'],
  items: string,
  { done, failures }: Outcome<unknown>,
  { unfinished, shardErrors = [] }: { unfinished: boolean; shardErrors?: readonly unknown[] },
): void {
  const unreadShards = shardErrors.length;
  log.info('sweep-finished', { sweep, done, failures: failures.size, unreadShards, unfinished });
  if (failures.size === 0 && unreadShards === 0) return;
  const [first] = [...failures.values(), ...shardErrors];
  throw new Error(
    `${failures.size} of ${done + failures.size} ${items} failed, and ${unreadShards} shards could not be read: ${String(first)}`,
  );
}
