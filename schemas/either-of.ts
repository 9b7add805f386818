/**
 * Joins words as `Intl.ListFormat` does: `A, B, or C`. `Intl.ListFormat` itself would add a fifth to the cold
 * start of every function, because its first use loads ICU.
 */
export const eitherOf = (words: readonly string[]): string => {
  if (words.length < 3) return words.join(' or ');
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`;
};
