import { crc32, deflateSync } from 'node:zlib';

const COLOURS = 256;
const CHANNELS = 4;

/**
 * An opaque picture as a PNG with a palette: a third of the size of one with all channels. `pixels` are four
 * bytes each. Colours beyond the 256 most frequent become the nearest of them.
 */
export function compactPng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([colour]) => colour)
    .slice(0, COLOURS);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  // Each row begins with its filter: none.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + x + 1] = indexes.get(colourAt(pixels, (y * width + x) * CHANNELS)) ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, each the index of a colour. https://www.w3.org/TR/png-3/#11IHDR
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const colourAt = (pixels: Uint8Array, at: number): number =>
  ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);

const channels = (colour: number): number[] => [colour >> 16, (colour >> 8) & 255, colour & 255];

function nearest(palette: readonly number[], colour: number): number {
  const [r = 0, g = 0, b = 0] = channels(colour);
  let best = 0;
  let least = Infinity;
  for (const [index, candidate] of palette.entries()) {
    const [x = 0, y = 0, z = 0] = channels(candidate);
    const distance = (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
    if (distance < least) {
      best = index;
      least = distance;
    }
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
