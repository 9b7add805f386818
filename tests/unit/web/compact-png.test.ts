import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compactPng } from '../../../web/build/compact-png.ts';

/** The colours of each row, as hexadecimal numbers. */
function decoded(png: Uint8Array): string[][] {
  const bytes = Buffer.from(png);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const width = chunks.get('IHDR')?.readUInt32BE(0) ?? 0;
  const height = chunks.get('IHDR')?.readUInt32BE(4) ?? 0;
  const palette = chunks.get('PLTE')?.toString('hex').match(/.{6}/g) ?? [];
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  return Array.from({ length: height }, (_, y) =>
    [...rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1))].map((index) => palette[index] ?? ''),
  );
}

const pixels = (...colours: string[]) => Buffer.from(colours.map((colour) => `${colour}ff`).join(''), 'hex');

test('a picture of few colours keeps each of them in its place', () => {
  const picture = pixels('14202f', 'ffdc3d', 'ffffff', '14202f', 'ffdc3d', 'ffdc3d');
  expect(decoded(compactPng(picture, 3, 2))).toEqual([
    ['14202f', 'ffdc3d', 'ffffff'],
    ['14202f', 'ffdc3d', 'ffdc3d'],
  ]);
});

test('of too many colours the rarest become their nearest', () => {
  const greys = Array.from({ length: 256 }, (_, grey) => grey.toString(16).padStart(2, '0').repeat(3));
  const picture = pixels(...greys, ...greys, 'fefdff');
  expect(decoded(compactPng(picture, 513, 1))[0]?.at(-1)).toBe('fefefe');
});
