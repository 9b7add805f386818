/**
 * The local world can't start or can't apply a change, for a reason that is not a bug. The message is one
 * sentence for the person who started it.
 */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** The message of anything that was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
