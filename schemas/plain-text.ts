/* All text that people type or paste: forms read it on every key, and the API's schemas read it again. */

/** Invisible characters in copied text. Joiners stay: Persian and Indic words and emoji need them. */
const STOWAWAYS = /[\p{Bidi_Control}\u{AD}\u{200B}\u{2060}\u{FEFF}]/gu;

/** A name or another line of text as it is seen. */
export const visibleText = (text: string): string => text.normalize('NFC').replaceAll(STOWAWAYS, '');

/** A text in the form in which what a person sees as the same is the same, such as letters of full width. */
export const plainText = (text: string): string => visibleText(text.normalize('NFKC'));

/** The characters that mail programs write around an address, and that are copied along with it. */
const AROUND_ADDRESS = /^(?:mailto:|[\s"'<([{])+|[\s"'>)\]},;]+$/gi;

/** An e-mail address without what was copied along. A dot at the end stays: the user may be typing. */
export function plainAddress(text: string): string {
  const plain = plainText(text)
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('\u{3002}', '.');
  const [, link] = /^\s*mailto:([^?]*)/i.exec(plain) ?? [];
  const [, named] = /<([^<>\s]+@[^<>\s]+)>/.exec(plain) ?? [];
  return (named ?? link ?? plain).replaceAll(AROUND_ADDRESS, '');
}

const DIGIT = /\p{Nd}/u;

/** The same with the digits of every script as 0 to 9. Unicode has each script's ten digits in a row. */
export const withPlainDigits = (text: string): string =>
  plainText(text).replaceAll(new RegExp(DIGIT, 'gu'), (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (DIGIT.test(String.fromCodePoint(point - before - 1))) before += 1;
    return String(before % 10);
  });
