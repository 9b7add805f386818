/**
 * Makes the files in this folder that the site loads: `npm run fonts`. Takes the fonts from the packages
 * @fontsource-variable/newsreader and @fontsource-variable/source-sans-3, leaves out what the site doesn't
 * need, and writes the files and web/src/styles/fonts.css. The result is committed: a build needs none of
 * this.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromBuffer } from '@capsizecss/unpack';
import fontverter from 'fontverter';
import subsetFont from 'subset-font';
import { ACCENTED, BASIC, type Face, FACES, FAMILIES } from './faces.ts';
import { type Fallback, FALLBACKS, type Widths } from './fallbacks.ts';
import { adapted } from './sfnt.ts';

const FOLDER = fileURLToPath(new URL('./', import.meta.url));
const STYLES = fileURLToPath(new URL('../src/styles/fonts.css', import.meta.url));

/** Kerning, ligatures, accents, and figures of equal width for invoices. */
const FEATURES = ['kern', 'liga', 'clig', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum'];
/** Tables that vary the metrics with the weight, describe styles to design programs, align other scripts. */
const DROPPED = ['MVAR', 'STAT', 'BASE'];

const sizes: Record<string, number> = {};
for (const face of FACES) {
  const file = await fontverter.convert(await letters(face), 'woff2');
  sizes[face.name] = file.byteLength;
  await writeFile(path.join(FOLDER, `${face.name}.woff2`), file);
}
const licence = await readFile(
  new URL(import.meta.resolve('@fontsource-variable/newsreader/LICENSE')),
  'utf8',
);
const notices = Object.values(FAMILIES).map(({ copyright }) => copyright);
// Both packages have the same license, below a line of their own.
await writeFile(path.join(FOLDER, 'OFL.txt'), [...notices, licence.replace(/^.*\n/, '')].join('\n'));
const widths = new Map<string, Widths>();
for (const face of FACES.filter(isWhole)) {
  const regular = await widthOf(face, 400);
  widths.set(face.family, { regular, bold: face.weight === 400 ? regular : await widthOf(face, 600) });
}
await writeFile(STYLES, stylesheet());
console.table(sizes);

/** Whether most of the family's text is set in the face. */
function isWhole({ style, characters }: Face): boolean {
  return style === 'normal' && characters === BASIC;
}

/** The face's letters as a TrueType font. */
async function letters(face: Face, weight: Face['weight'] = face.weight): Promise<Buffer> {
  const source = fileURLToPath(import.meta.resolve(`${face.source}.woff2`));
  const font = await subsetFont(await readFile(source), face.characters, {
    targetFormat: 'truetype',
    variationAxes: { wght: weight, ...(face.opticalSize !== undefined && { opsz: face.opticalSize }) },
    keepFeatures: FEATURES,
    dropTables: DROPPED,
    noHinting: true,
  });
  return adapted(Buffer.from(font), face.family, FAMILIES[face.family]);
}

/** The mean width of a letter in em, weighted by how often English uses it. */
async function widthOf(face: Face, weight: number): Promise<number> {
  const { xWidthAvg, unitsPerEm } = await fromBuffer(await letters(face, weight));
  return xWidthAvg / unitsPerEm;
}

function stylesheet(): string {
  return `/* Made by npm run fonts. */
${[...FACES.map(faceRule), ...FALLBACKS.map(fallbackRule)].join('\n')}`;
}

function faceRule({ name, family, style, weight, characters }: Face): string {
  return rule([
    `font-family: '${family}'`,
    style === 'italic' && 'font-style: italic',
    typeof weight === 'object' && `font-weight: ${weight.min} ${weight.max}`,
    // A late font would change line breaks. A visitor with the font in the cache gets it at the first paint.
    'font-display: optional',
    `src: url('../../fonts/${name}.woff2') format('woff2')`,
    characters === ACCENTED && `unicode-range: ${ranges(characters)}`,
  ]);
}

function fallbackRule({ family, replaces, bold, fonts, width }: Fallback): string {
  const { ascent, descent } = FAMILIES[replaces];
  const own = widths.get(replaces)?.[bold ? 'bold' : 'regular'] ?? 0;
  const scale = own / width;
  return rule([
    `font-family: '${family}'`,
    bold && 'font-weight: 600 700',
    `src: ${fonts.map((font) => `local('${font}')`).join(', ')}`,
    `size-adjust: ${percent(scale)}`,
    `ascent-override: ${percent(ascent / scale)}`,
    `descent-override: ${percent(descent / scale)}`,
    'line-gap-override: 0%',
  ]);
}

function rule(lines: readonly (string | false)[]): string {
  return `@font-face {\n${lines.flatMap((line) => (line === false ? [] : [`  ${line};\n`])).join('')}}\n`;
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(1))}%`;
}

/** Unicode ranges of characters, as `U+A1-A8, U+AA`. */
function ranges(characters: string): string {
  const points = Array.from(characters, (character) => character.codePointAt(0) ?? 0);
  const runs: [number, number][] = [];
  for (const point of points.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run[1] === point - 1) run[1] = point;
    else runs.push([point, point]);
  }
  return runs
    .map((run) => [...new Set(run)].map((point) => point.toString(16).toUpperCase()).join('-'))
    .map((run) => `U+${run}`)
    .join(', ');
}
