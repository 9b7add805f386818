/**
 * Lowercases only the letters A to Z. Unicode's folding would turn the Kelvin sign into `k`, and so make one
 * address of two that belong to different people.
 */
export const asciiLowerCase = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
