/** The site's typefaces, and the characters in their files, which `npm run fonts` makes. */

const between = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');

/** The characters of the site's own text. */
export const BASIC = `${between(0x20, 0x7e)}\u00A0©·×–—‘’“”•…−€`;

/** The rest of Latin-1 and three related letters, for names. Loaded only by pages that show one. */
export const ACCENTED = `${between(0xa1, 0xff)}ıŒœ`.replaceAll(new RegExp(`[${BASIC}]`, 'g'), '');

/** Signs that neither typeface has. The system's fonts show them. */
export const SYSTEM_SIGNS = '⌘⇧→';

export interface Face {
  /** File name in this folder, without the extension. */
  name: string;
  family: 'Selfsame Serif' | 'Selfsame Sans';
  /** Package and path of the source font. */
  source: string;
  style: 'normal' | 'italic';
  /** A weight, or the lightest and heaviest weight. */
  weight: number | { min: number; max: number };
  /** Size in points for which the letters are drawn, if the source has an optical size axis. */
  opticalSize?: number;
  characters: string;
}

const NEWSREADER = '@fontsource-variable/newsreader/files/newsreader-latin-standard';
const SOURCE_SANS = '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght';
// Between 16 and 44 points the letters hardly differ: they are delicate in a heading, and still firm in text.
const SERIF = { family: 'Selfsame Serif', weight: 400, opticalSize: 36 } as const;
// A bold from 600 to 700 is in use: one file with an axis is smaller than three.
const SANS = { family: 'Selfsame Sans', weight: { min: 400, max: 700 } } as const;

/** Accented faces come after the basic faces of their family: browsers try the last face first. */
export const FACES: readonly Face[] = [
  { ...SERIF, name: 'serif', source: `${NEWSREADER}-normal`, style: 'normal', characters: BASIC },
  { ...SERIF, name: 'serif-accented', source: `${NEWSREADER}-normal`, style: 'normal', characters: ACCENTED },
  { ...SERIF, name: 'serif-italic', source: `${NEWSREADER}-italic`, style: 'italic', characters: BASIC },
  { ...SANS, name: 'sans', source: `${SOURCE_SANS}-normal`, style: 'normal', characters: BASIC },
  { ...SANS, name: 'sans-accented', source: `${SOURCE_SANS}-normal`, style: 'normal', characters: ACCENTED },
  {
    ...SANS,
    name: 'sans-italic',
    source: `${SOURCE_SANS}-italic`,
    style: 'italic',
    weight: 400,
    characters: BASIC,
  },
];

/** The metrics and names that are written into the files of a family. */
export interface Family {
  copyright: string;
  /**
   * Height above and below the baseline, in em. Backgrounds of inline text have this height: a highlight
   * covers its letters, but in a line of 1.04 em it doesn't touch the letters of the line above.
   */
  ascent: number;
  descent: number;
}

/**
 * The license of Source Sans reserves the name `Source`, so a changed font needs another name. Both families
 * have one, so that the page never uses an installed original.
 */
export const FAMILIES: Record<Face['family'], Family> = {
  'Selfsame Serif': {
    copyright:
      'Copyright 2020 The Newsreader Project Authors (http://github.com/productiontype/Newsreader). Changed.',
    ascent: 0.77,
    descent: 0.28,
  },
  'Selfsame Sans': {
    copyright: '© 2023 Adobe (http://www.adobe.com/), with Reserved Font Name ‘Source’. Changed.',
    ascent: 0.93,
    descent: 0.27,
  },
};
