/**
 * In lower case as far as the letters are A to Z. Unicode's folding would make `k` of the Kelvin sign, and so
 * one address of two that belong to different people.
 */
export const asciiLowerCase = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
