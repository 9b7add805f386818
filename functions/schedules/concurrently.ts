/** Runs `work` over `items`, at most `limit` at a time. Resolves with what failed; one failure doesn't stop the rest. */
export async function concurrently<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<{ item: T; error: unknown }[]> {
  const failures: { item: T; error: unknown }[] = [];
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const item = next.value;
      await work(item).catch((error: unknown) => failures.push({ item, error }));
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return failures;
}
