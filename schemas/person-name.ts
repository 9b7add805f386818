import { limits } from './product/product.ts';

/** The fault of an invalid name. Each is a refusal of the API, with a sentence for the user. */
export type NameFault = 'name-missing' | 'name-too-long' | 'name-unusable';

/**
 * Half a surrogate pair, which DynamoDB refuses; controls and line breaks; characters that change the
 * direction of the text around them (in a mail, for example); and characters without width. Joiners (U+200C
 * and U+200D) are allowed: Persian and Indic names and many emoji need them.
 */
const UNUSABLE = /[\p{Cs}\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u{200B}\u{2060}\u{FEFF}]/u;

/** White space, what Unicode says not to display, lone marks, blanks of braille and musical notation. */
const INVISIBLE = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\u{2800}\u{1D159}]/gu;

/** Null for a valid name, trimmed as it is stored. Counts characters as users see them, and UTF-16 units. */
export function nameFault(name: string): NameFault | null {
  const trimmed = name.trim();
  if (trimmed.replaceAll(INVISIBLE, '') === '') return 'name-missing';
  if (trimmed.length > limits.storedNameLength) return 'name-too-long';
  if (UNUSABLE.test(trimmed)) return 'name-unusable';
  const characters = Array.from(new Intl.Segmenter().segment(trimmed));
  return characters.length > limits.longestName ? 'name-too-long' : null;
}
