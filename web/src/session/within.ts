/** Rejects with a TimeoutError if the work takes longer. The work itself goes on. */
export const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(reject, milliseconds, new DOMException('This took too long.', 'TimeoutError'));
    }),
  ]);

/** Does the work at the first call. Later calls get the same result, or try again after a failure. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}
