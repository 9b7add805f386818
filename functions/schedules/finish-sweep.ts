import type { Outcome } from '../runtime/for-each-limit.ts';
import type { LogEvents } from '../../schemas/config/log-events.ts';
import { log } from '../runtime/log.ts';

interface Sweep extends Pick<LogEvents['sweep-finished'], 'sweep'> {
  run: Outcome<unknown>;
  shardErrors?: readonly unknown[];
  /** @default whether time ran out */
  unfinished?: boolean;
  items: string;
}

/** Logs a sweep. Throws if an item failed or a shard could not be read. */
export function finishSweep({
  sweep,
  run,
  shardErrors = [],
  unfinished = run.outOfTime,
  items,
}: Sweep): void {
  const { done, failures } = run;
  const unreadShards = shardErrors.length;
  log.info('sweep-finished', { sweep, done, failures: failures.size, unreadShards, unfinished });
  if (failures.size === 0 && unreadShards === 0) return;
  const [first] = [...failures.values(), ...shardErrors];
  throw new Error(
    `${failures.size} of ${done + failures.size} ${items} failed, and ${unreadShards} shards could not be read: ${String(first)}`,
  );
}
