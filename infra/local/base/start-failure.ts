/**
 * The local world can't start, or can't take a change, for a reason that is not a bug: the message is the one
 * sentence a person gets to read.
 */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** What to show of anything that was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
