/** The result of a run over many items. */
export interface Outcome<T> {
  done: number;
  failures: ReadonlyMap<T, unknown>;
  /** Whether time ran out before all items were begun. */
  outOfTime: boolean;
}

/**
 * Runs `work` over `items`, at most `limit` at a time, and takes an item only when a worker is free. Failed
 * items are tried once more at the end. Begins no new work once `isOver` returns true.
 */
export async function forEachLimit<T>(
  items: Iterable<T> | AsyncIterable<T>,
  {
    limit,
    work,
    isOver = () => false,
  }: { limit: number; work: (item: T) => Promise<unknown>; isOver?: () => boolean },
): Promise<Outcome<T>> {
  const failures = new Map<T, unknown>();
  let done = 0;
  let outOfTime = false;

  const run = async (queue: Iterator<T> | AsyncIterator<T>) => {
    const worker = async () => {
      for (;;) {
        outOfTime ||= isOver();
        if (outOfTime) return;
        const next = await queue.next();
        if (next.done) return;
        try {
          await work(next.value);
          failures.delete(next.value);
          done += 1;
        } catch (error) {
          failures.set(next.value, error);
        }
      }
    };
    await Promise.all(Array.from({ length: limit }, worker));
  };

  await run(Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]());
  if (failures.size > 0) await run([...failures.keys()][Symbol.iterator]());
  return { done, failures, outOfTime };
}
