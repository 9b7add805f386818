import { limits } from '../../../schemas/product.ts';

/** Characters as users count them. The user pool allows more, which is too long for a heading. */
export const LONGEST_NAME = 100;

const NAME_MISSING = 'Please enter your name';
const NAME_TOO_LONG = `Your name can have at most ${LONGEST_NAME} characters`;

type NameFault = typeof NAME_MISSING | typeof NAME_TOO_LONG;

/** Why a name is refused; null if it is valid. */
export function nameFault(name: string): NameFault | null {
  const trimmed = name.trim();
  if (trimmed === '') return NAME_MISSING;
  const characters = Array.from(new Intl.Segmenter().segment(trimmed)).length;
  const isTooLong = characters > LONGEST_NAME || trimmed.length > limits.storedNameLength;
  return isTooLong ? NAME_TOO_LONG : null;
}
