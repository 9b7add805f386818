/** The message of anything that was thrown. */
export const sentenceOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message || thrown.name : String(thrown);

/** Input of users and answers of servers could contain a terminal's control sequences. */
export const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, ' ');
