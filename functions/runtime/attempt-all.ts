/** Does each piece of work in turn, whatever became of those before. Resolves with what they threw. */
export async function attemptAll(work: Iterable<() => Promise<unknown>>): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const piece of work) {
    try {
      await piece();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
