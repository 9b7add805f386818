import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { product } from '../../schemas/product/product.ts';
import { drawing } from './drawing.ts';

const SOURCE = fileURLToPath(new URL('../public/favicon.svg', import.meta.url));

/** Sizes in pixels: for Windows and old browsers, for iOS, and for Chromium. */
const ICO = 32;
const TOUCH = 180;
const INSTALLED = [192, 512] as const;

// Color of the light scheme in src/styles/tokens.css.
const PAPER = '#fbfcfb';

/** The icon of `public/favicon.svg` as bitmaps, by their names in the build's folder. */
export async function icons(): Promise<Record<string, Uint8Array>> {
  const svg = await readFile(SOURCE, 'utf8');
  const { Resvg } = await drawing();
  const png = (size: number) => new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
  return {
    'favicon.ico': ico(png(ICO)),
    'apple-touch-icon.png': png(TOUCH),
    ...Object.fromEntries(INSTALLED.map((size) => [iconName(size), png(size)])),
  };
}

const iconName = (size: number): string => `icon-${size}.png`;

/** An ICO file with one PNG: https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10) */
function ico(png: Uint8Array): Uint8Array {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(ICO, 6);
  head.writeUInt8(ICO, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.byteLength, 14);
  head.writeUInt32LE(head.byteLength, 18);
  return Buffer.concat([head, png]);
}

/** https://www.w3.org/TR/appmanifest/. The site stays in a browser window: it is not an app. */
export function webManifest(): string {
  const manifest = {
    name: product.name,
    description: product.tagline,
    start_url: '/',
    display: 'browser',
    background_color: PAPER,
    theme_color: PAPER,
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      ...INSTALLED.map((size) => ({
        src: `/${iconName(size)}`,
        type: 'image/png',
        sizes: `${size}x${size}`,
      })),
    ],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
