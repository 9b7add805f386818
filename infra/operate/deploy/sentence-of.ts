/** The message of anything that was thrown. */
export const sentenceOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
