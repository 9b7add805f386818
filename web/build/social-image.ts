import { readFile } from 'node:fs/promises';
import type { Font } from 'satori';
import { product } from '../../schemas/product/product.ts';
import { appPicture } from './app-picture.ts';
import { drawing } from './drawing.ts';
import { box, mark, palette, words, type Element } from './picture-parts.ts';

// The size that social networks require.
const WIDTH = 1200;
const HEIGHT = 630;
const MAX_BYTES = 100_000;

const MARGIN = 64;
// Titles with more characters take two lines, in smaller letters.
const ONE_LINE = 27;

/**
 * The libraries that lay out images. Loaded when a build draws an image: `npm start` serves the site without.
 */
async function prepare() {
  const [{ default: satori }, { Resvg }] = await Promise.all([import('satori'), drawing()]);
  // One after another: a conversion may overwrite the memory of an earlier one that is not copied yet.
  const fonts: Font[] = [];
  for (const file of ['serif', 'serif-accented', 'sans']) fonts.push(await fontOf(file));
  return { satori, Resvg, fonts };
}

/** A font of the site. Satori reads no WOFF2. */
async function fontOf(file: string): Promise<Font> {
  const { default: fontverter } = await import('fontverter');
  const woff2 = await readFile(new URL(`../fonts/${file}.woff2`, import.meta.url));
  return { name: file, data: await fontverter.convert(woff2, 'truetype'), weight: 400, style: 'normal' };
}

let prepared: ReturnType<typeof prepare> | undefined;

/** A PNG of 1200 by 630 pixels and at most 100 KB: title, description, and the app above a letter. */
export async function socialImage(title: string, description: string): Promise<Uint8Array> {
  prepared ??= prepare();
  const { satori, Resvg, fonts } = await prepared;
  const svg = await satori(sheet(title, description), { width: WIDTH, height: HEIGHT, fonts });
  const image = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const png = image.asPng();
  if (png.byteLength > MAX_BYTES) {
    throw new Error(`The image of "${title}" has ${png.byteLength} bytes; at most ${MAX_BYTES} are allowed.`);
  }
  return png;
}

function sheet(title: string, description: string): Element {
  const count = title.split(' ').length;
  const long = title.length > ONE_LINE;
  return box(
    {
      position: 'relative',
      width: WIDTH,
      height: HEIGHT,
      boxSizing: 'border-box',
      flexDirection: 'column',
      padding: MARGIN,
      background: palette.paper,
      color: palette.ink,
    },
    [
      appPicture({ left: 546, top: long ? 330 : 296 }),
      box({ alignItems: 'center', columnGap: 16, fontSize: 34 }, [mark(44), product.name]),
      words({
        text: title,
        selected: [Math.max(count - 2, Math.min(1, count - 1)), count],
        style: {
          marginTop: long ? 30 : 44,
          fontSize: long ? 66 : 88,
          lineHeight: 1.2,
          letterSpacing: '-0.015em',
        },
        space: long ? 15 : 20,
        together: true,
      }),
      box({ width: 452, marginTop: 'auto', fontSize: 28, lineHeight: 1.4, color: palette.inkSoft }, [
        shortened(description),
      ]),
    ],
  );
}

// The text that fits beside the picture below a title of two lines.
const MAX_CHARACTERS = 150;

/** As many whole sentences as fit, or the beginning of a first sentence that is too long. */
function shortened(text: string): string {
  const end = text.length <= MAX_CHARACTERS ? text.length : text.lastIndexOf('. ', MAX_CHARACTERS) + 1;
  return end > 0 ? text.slice(0, end) : `${text.slice(0, text.lastIndexOf(' ', MAX_CHARACTERS))} …`;
}
