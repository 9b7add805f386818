import { readFile } from 'node:fs/promises';
import type { Font } from 'satori';
import { product } from '../../schemas/product.ts';
import { drawing } from './drawing.ts';

// The size that social networks ask for.
const WIDTH = 1200;
const HEIGHT = 630;
// The light scheme of src/styles/tokens.css.
const INK = '#14202f';
const SOFT = '#4e5b6b';
const PAPER = '#fbfcfb';
const HIGHLIGHT = '#ffdc3d';

/** What lays images out. Loaded when a build draws one: `npm start` serves the site without it. */
async function prepare() {
  const [{ default: satori }, { Resvg }, ...fonts] = await Promise.all([
    import('satori'),
    drawing(),
    fontOf('serif'),
    fontOf('serif-accented'),
  ]);
  return { satori, Resvg, fonts };
}

/** A font of the site. Satori reads no WOFF2. */
async function fontOf(file: string): Promise<Font> {
  const { default: fontverter } = await import('fontverter');
  const woff2 = await readFile(new URL(`../fonts/${file}.woff2`, import.meta.url));
  return { name: file, data: await fontverter.convert(woff2, 'truetype'), weight: 400, style: 'normal' };
}

let prepared: ReturnType<typeof prepare> | undefined;

/** A PNG of 1200 by 630 pixels with the title, its last words highlighted, and the description. */
export async function socialImage(title: string, description: string): Promise<Uint8Array> {
  prepared ??= prepare();
  const { satori, Resvg, fonts } = await prepared;
  const svg = await satori(sheet(title, description), { width: WIDTH, height: HEIGHT, fonts });
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}

function sheet(title: string, description: string) {
  const words = title.split(' ');
  const marked = Math.max(words.length - 2, Math.min(1, words.length - 1));
  return box(
    {
      width: WIDTH,
      height: HEIGHT,
      boxSizing: 'border-box',
      flexDirection: 'column',
      padding: 80,
      background: PAPER,
      color: INK,
    },
    [
      box({ fontSize: 36 }, [product.name]),
      box(
        {
          flexWrap: 'wrap',
          columnGap: 18,
          marginTop: 'auto',
          fontSize: title.length > 48 ? 72 : 92,
          lineHeight: 1.2,
        },
        words.map((word, index) =>
          box(index >= marked ? { background: HIGHLIGHT, padding: '0 10px', marginRight: -19 } : {}, [word]),
        ),
      ),
      box({ marginTop: 40, maxWidth: 960, fontSize: 32, lineHeight: 1.4, color: SOFT }, [
        shortened(description),
      ]),
    ],
  );
}

const box = (style: Record<string, string | number>, children: unknown[]) => ({
  type: 'div',
  key: null,
  props: { style: { display: 'flex', ...style }, children },
});

// Three lines of the image.
const MAX_CHARACTERS = 150;

/** As many whole sentences as fit, or the beginning of a first sentence that is too long. */
function shortened(text: string): string {
  const end = text.length <= MAX_CHARACTERS ? text.length : text.lastIndexOf('. ', MAX_CHARACTERS) + 1;
  return end > 0 ? text.slice(0, end) : `${text.slice(0, text.lastIndexOf(' ', MAX_CHARACTERS))} …`;
}
