/** A text in the form in which what a person sees as the same is the same, such as letters of full width. */
export const plainText = (text: string): string => text.normalize('NFKC');

const DIGIT = /\p{Nd}/u;

/** The same with the digits of every script as 0 to 9. Unicode has each script's ten digits in a row. */
export const withPlainDigits = (text: string): string =>
  plainText(text).replaceAll(new RegExp(DIGIT, 'gu'), (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (DIGIT.test(String.fromCodePoint(point - before - 1))) before += 1;
    return String(before % 10);
  });
