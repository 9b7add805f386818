/** Does each piece of work in turn, even if earlier ones failed. Resolves with the errors. */
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
