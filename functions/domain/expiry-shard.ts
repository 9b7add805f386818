/**
 * Partitions of each of the indexes `by_expiry` and `by_idle`. DynamoDB gives one partition 1,000 writes a
 * second; sixteen carry a renewal day of many million subscribers, and a sweep still asks only sixteen
 * questions.
 */
export const EXPIRY_SHARDS = 16;

/** Which of them a user belongs to: FNV-1a over the id, so that it needs no table and never changes. */
export function expiryShard(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % EXPIRY_SHARDS;
}
