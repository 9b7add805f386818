import { EXPIRY_SHARDS } from '../domain/expiry-shard.ts';

/**
 * The ids in all shards of an index, page by page. `run`: the number of the run. Each run begins with another
 * shard, so that time doesn't always run out on the same shard. An unreadable shard is left out, and its
 * error is added to `errors`.
 */
export async function* idsInAllShards(
  idsOf: (shard: number) => AsyncIterable<string[]>,
  run: number,
  errors: unknown[],
): AsyncGenerator<string> {
  for (let offset = 0; offset < EXPIRY_SHARDS; offset += 1) {
    try {
      for await (const page of idsOf((run + offset) % EXPIRY_SHARDS)) yield* page;
    } catch (error) {
      errors.push(error);
    }
  }
}
