/** Characters as people count them. Cognito keeps 2,048; nobody reads that much in a heading. */
export const LONGEST_NAME = 100;

const NAME_MISSING = 'Please enter your name';
const NAME_TOO_LONG = `Your name can have at most ${LONGEST_NAME} characters`;

type NameFault = typeof NAME_MISSING | typeof NAME_TOO_LONG;

/** What is wrong with the name of a person; null if nothing is. */
export function nameFault(name: string): NameFault | null {
  const trimmed = name.trim();
  if (trimmed === '') return NAME_MISSING;
  return Array.from(new Intl.Segmenter().segment(trimmed)).length > LONGEST_NAME ? NAME_TOO_LONG : null;
}
