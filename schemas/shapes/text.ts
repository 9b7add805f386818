/** A piece of a sentence: words, or the day of an ISO 8601 timestamp. */
type Part = string | { day: string };

/** A sentence whose days are marked up when it is shown. */
export type Text = readonly Part[];

export const day = (moment: string): Part => ({ day: moment });

/** A template tag. Texts may contain other texts. */
export function text(words: TemplateStringsArray, ...parts: readonly (Part | Text)[]): Text {
  const pieces = words.flatMap((word, index): Part[] => {
    const part = parts[index];
    if (part === undefined) return [word];
    return typeof part === 'object' && !('day' in part) ? [word, ...part] : [word, part];
  });
  return pieces.filter((piece) => piece !== '');
}
