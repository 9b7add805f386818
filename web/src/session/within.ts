/** Rejects with a TimeoutError if the work takes longer. The work itself goes on. */
export const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(reject, milliseconds, new DOMException('This took too long.', 'TimeoutError'));
    }),
  ]);
