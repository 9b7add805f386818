/** The world can't start or change, for a reason that isn't a bug. The message is a sentence for a person. */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** The message of anything that was thrown. A full disk always has the same sentence. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return isDiskFull(message) ? 'The disk is full: free some space, and start again.' : message;
}

/** Whether the error is for the person who started the world, without a stack trace. */
export const isForPerson = (error: unknown): boolean =>
  error instanceof StartFailure || isDiskFull(sentenceOf(error));

// The messages for ENOSPC and EDQUOT by Node, Rust, SQLite and us. A watch that the system refuses is ENOSPC
// too, with another message.
const isDiskFull = (message: string): boolean =>
  /no space left on device|disk quota exceeded|(database or|the) disk is full/i.test(message);
