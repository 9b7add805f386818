import { entireMetricsCollection } from '@capsizecss/metrics/entireMetricsCollection';
import type { Face } from './faces.ts';

const { arial, georgia, helveticaNeue, notoSerif, roboto, segoeUI, timesNewRoman } = entireMetricsCollection;

/** Mean widths of a letter, in em. */
export interface Widths {
  regular: number;
  bold: number;
}

/**
 * Fonts of the visitor's system, scaled so that their lines are about as long and exactly as high as ours.
 */
export interface Fallback {
  family: string;
  replaces: Face['family'];
  bold: boolean;
  /** Full names. The browser takes the first installed font. */
  fonts: readonly string[];
  /** Mean width of their letters, in em. */
  width: number;
}

const widthOf = ({ xWidthAvg, unitsPerEm }: { xWidthAvg: number; unitsPerEm: number }): number =>
  xWidthAvg / unitsPerEm;

/** Mean of four fonts that differ by less than two percent. */
const sansWidth = [segoeUI, roboto, helveticaNeue, arial].reduce((sum, font) => sum + widthOf(font), 0) / 4;

/** The widths come from https://github.com/seek-oss/capsize. Liberation has the widths of Arial and Times. */
export const FALLBACKS: readonly Fallback[] = [
  {
    family: 'Serif Fallback',
    replaces: 'Selfsame Serif',
    bold: false,
    fonts: ['Georgia'],
    width: widthOf(georgia),
  },
  {
    family: 'Times Fallback',
    replaces: 'Selfsame Serif',
    bold: false,
    fonts: ['Times New Roman', 'Liberation Serif'],
    width: widthOf(timesNewRoman),
  },
  {
    family: 'Noto Fallback',
    replaces: 'Selfsame Serif',
    bold: false,
    fonts: ['Noto Serif'],
    width: widthOf(notoSerif),
  },
  {
    family: 'Sans Fallback',
    replaces: 'Selfsame Sans',
    bold: false,
    fonts: ['Segoe UI', 'Roboto', 'Helvetica Neue', 'Arial', 'Liberation Sans'],
    width: sansWidth,
  },
  {
    family: 'Sans Fallback',
    replaces: 'Selfsame Sans',
    bold: true,
    fonts: ['Segoe UI Semibold', 'Roboto Bold', 'Helvetica Neue Bold', 'Arial Bold', 'Liberation Sans Bold'],
    width: widthOf(arial.variants['700']),
  },
];
