/**
 * Partitions of the indexes `by_expiry` and `by_idle`. DynamoDB gives each 1,000 writes a second: sixteen
 * take the renewal day of many million subscribers, and a sweep needs a query for each.
 */
export const EXPIRY_SHARDS = 16;

/** The partition of a user: FNV-1a over the id, which needs no table and never changes. */
export function expiryShard(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % EXPIRY_SHARDS;
}
