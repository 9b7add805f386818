import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import fontverter from 'fontverter';
import { ACCENTED, BASIC, FACES, SYSTEM_SIGNS } from '../../../../web/fonts/faces.ts';

const styles = readFileSync('web/src/styles/fonts.css', 'utf8');

describe.each(FACES)('$name', ({ name, characters }) => {
  let font: Buffer;
  beforeAll(async () => {
    const file = readFileSync(`web/fonts/${name}.woff2`);
    font = Buffer.from(await fontverter.convert(file, 'truetype'));
  });

  test('has all characters that it is there for', () => {
    const points = pointsOf(font);
    expect(Array.from(characters).filter((character) => !points.has(character.codePointAt(0) ?? 0))).toEqual(
      [],
    );
  });

  test('is in the styles', () => {
    expect(styles).toContain(`url('../../fonts/${name}.woff2')`);
  });
});

test('the fonts have all characters of the site and its content', () => {
  const known = new Set(`${BASIC}${ACCENTED}${SYSTEM_SIGNS}\n`);
  const unknown = globSync(['web/content/**/*.{md,json}', 'web/src/{routes,components}/**/*.tsx']).flatMap(
    (file) =>
      Array.from(new Set(readFileSync(file, 'utf8')))
        .filter((character) => !known.has(character))
        .map((character) => `${character} in ${file}`),
  );
  expect(unknown).toEqual([]);
});

/**
 * The code points in the segments of a font's first character map, which has format 4.
 * https://learn.microsoft.com/en-us/typography/opentype/spec/cmap
 */
function pointsOf(font: Buffer): Set<number> {
  const record = font.indexOf('cmap', 12, 'latin1');
  const table = font.subarray(font.readUInt32BE(record + 8));
  const map = table.subarray(table.readUInt32BE(8));
  expect(map.readUInt16BE(0)).toBe(4);
  const size = map.readUInt16BE(6);
  const points = new Set<number>();
  for (let place = 14; place < 14 + size; place += 2) {
    const [first, last] = [map.readUInt16BE(place + size + 2), map.readUInt16BE(place)];
    for (let point = first; point <= last; point += 1) points.add(point);
  }
  return points;
}
