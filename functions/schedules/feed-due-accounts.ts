import type { DueAccount } from '../../schemas/config/due-account.ts';
import type { ScheduleEntry } from '../../schemas/schedules.ts';
import { BATCH, type DueQueue } from '../adapters/due-queue.ts';
import { EXPIRY_SHARDS } from '../domain/expiry-shard.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { finishSweep } from './finish-sweep.ts';

interface Feed {
  sweep: ScheduleEntry;
  queue: DueQueue;
  /** The ids that an index has for a shard, earliest first, page by page. */
  idsOf: (shard: number) => AsyncIterable<string[]>;
  messageOf: (user: string) => DueAccount;
  now: Date;
  isOver: () => boolean;
}

const CONCURRENCY = 4;
const HOUR = 3_600_000;
/** The most accounts that a run sends: the queue is empty again before the next hour. */
export const LIMIT = 20_000;

/**
 * Sends the due accounts of an index to the queue, unless messages of an earlier run wait: a slow consumer
 * isn't given the same accounts every hour. They stay in the index, so a lost message is sent again.
 */
export async function feedDueAccounts(feed: Feed): Promise<{ sent: number; unfinished: boolean }> {
  const { sweep, queue, isOver, messageOf } = feed;
  if (await queue.hasWaiting()) {
    const run = { done: 0, failures: new Map(), outOfTime: false };
    finishSweep(sweep, 'accounts', run, { unfinished: true });
    return { sent: 0, unfinished: true };
  }
  const found = { errors: [] as unknown[], isMore: false };
  let sent = 0;
  const run = await forEachLimit(batchesOf(feed, found), {
    limit: CONCURRENCY,
    work: async (users) => {
      await queue.send(users.map(messageOf));
      sent += users.length;
    },
    isOver,
  });
  const unfinished = run.outOfTime || found.isMore;
  const counted = { ...run, done: sent };
  finishSweep(sweep, 'batches of accounts', counted, { unfinished, shardErrors: found.errors });
  return { sent, unfinished };
}

async function* batchesOf({ idsOf, now }: Feed, found: { errors: unknown[]; isMore: boolean }) {
  let batch: string[] = [];
  let count = 0;
  for await (const id of idsInAllShards(idsOf, now, found.errors)) {
    if (count === LIMIT) {
      found.isMore = true;
      break;
    }
    count += 1;
    batch.push(id);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * The ids in all shards of an index. Each hour begins with another one, so that the limit isn't always used
 * up by the same. The error of an unreadable shard is added to `errors`.
 */
export async function* idsInAllShards(
  idsOf: (shard: number) => AsyncIterable<string[]>,
  now: Date,
  errors: unknown[],
): AsyncGenerator<string> {
  const hour = Math.floor(now.getTime() / HOUR);
  for (let offset = 0; offset < EXPIRY_SHARDS; offset += 1) {
    try {
      for await (const page of idsOf((hour + offset) % EXPIRY_SHARDS)) yield* page;
    } catch (error) {
      errors.push(error);
    }
  }
}
