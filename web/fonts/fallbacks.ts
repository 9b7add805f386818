import type { Face } from './faces.ts';

/** Mean widths of a letter, in em. */
export interface Widths {
  regular: number;
  bold: number;
}

/** Fonts of the visitor's system, scaled: lines are about as long and exactly as high as ours. */
export interface Fallback {
  family: string;
  replaces: Face['family'];
  bold: boolean;
  /** Full names. The browser takes the first installed font. */
  fonts: readonly string[];
  /** Mean width of their letters, in em. */
  width: number;
}

/**
 * Mean widths in em from https://github.com/seek-oss/capsize. Liberation has the widths of Arial and Times.
 * Segoe UI, Roboto, Helvetica Neue and Arial differ by less than two percent; this is their mean.
 */
const WIDTH = {
  georgia: 913 / 2048,
  times: 832 / 2048,
  noto: 481 / 1000,
  sans: (908 / 2048 + 911 / 2048 + 450 / 1000 + 913 / 2048) / 4,
  boldSans: 983 / 2048,
};

const SERIF = { replaces: 'Selfsame Serif', bold: false } as const;

export const FALLBACKS: readonly Fallback[] = [
  { ...SERIF, family: 'Serif Fallback', fonts: ['Georgia'], width: WIDTH.georgia },
  { ...SERIF, family: 'Times Fallback', fonts: ['Times New Roman', 'Liberation Serif'], width: WIDTH.times },
  { ...SERIF, family: 'Noto Fallback', fonts: ['Noto Serif'], width: WIDTH.noto },
  {
    family: 'Sans Fallback',
    replaces: 'Selfsame Sans',
    bold: false,
    fonts: ['Segoe UI', 'Roboto', 'Helvetica Neue', 'Arial', 'Liberation Sans'],
    width: WIDTH.sans,
  },
  {
    family: 'Sans Fallback',
    replaces: 'Selfsame Sans',
    bold: true,
    fonts: ['Segoe UI Semibold', 'Roboto Bold', 'Helvetica Neue Bold', 'Arial Bold', 'Liberation Sans Bold'],
    width: WIDTH.boldSans,
  },
];
