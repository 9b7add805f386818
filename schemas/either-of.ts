/** Joins words as `Intl.ListFormat` does (`A, B, or C`). Its first use would add a fifth to a cold start. */
export const eitherOf = (words: readonly string[]): string => {
  if (words.length < 3) return words.join(' or ');
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`;
};
