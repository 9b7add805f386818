import type { Family } from './faces.ts';

/**
 * A TrueType font with the family's metrics and another name. The version and license stay. Checksums are
 * wrong: the conversion to WOFF2 computes them.
 * https://learn.microsoft.com/en-us/typography/opentype/spec/otff
 */
export function adapted(font: Buffer, family: string, { ascent, descent, copyright }: Family): Buffer {
  const copy = Buffer.from(font);
  const recordOf = (tag: string): Buffer => {
    const place = copy.indexOf(tag, 12, 'latin1');
    if (place === -1) throw new Error(`The font has no table ${tag}.`);
    return copy.subarray(place);
  };
  const table = (tag: string): Buffer => copy.subarray(recordOf(tag).readUInt32BE(8));
  const unitsPerEm = table('head').readUInt16BE(18);
  const [above, below] = [Math.round(ascent * unitsPerEm), Math.round(descent * unitsPerEm)];
  // Browsers read one of three pairs of metrics, depending on the system.
  const hhea = table('hhea');
  hhea.writeInt16BE(above, 4);
  hhea.writeInt16BE(-below, 6);
  hhea.writeInt16BE(0, 8);
  const os2 = table('OS/2');
  os2.writeInt16BE(above, 68);
  os2.writeInt16BE(-below, 70);
  os2.writeInt16BE(0, 72);
  os2.writeUInt16BE(above, 74);
  os2.writeUInt16BE(below, 76);
  const names = nameTable({
    0: copyright,
    1: family,
    2: 'Regular',
    3: family,
    4: family,
    6: family.replaceAll(' ', ''),
    13: 'This Font Software is licensed under the SIL Open Font License, Version 1.1.',
    14: 'https://openfontlicense.org',
  });
  const record = recordOf('name');
  record.writeUInt32BE(font.byteLength, 8);
  record.writeUInt32BE(names.byteLength, 12);
  return Buffer.concat([copy, names, Buffer.alloc(-names.byteLength & 3)]);
}

/** Names by their ids, in English for Windows, which every system reads. */
function nameTable(names: Readonly<Record<number, string>>): Buffer {
  const entries = Object.entries(names).map(([id, text]) => ({
    id: Number(id),
    text: Buffer.from(text, 'utf16le').swap16(),
  }));
  const head = Buffer.alloc(6 + 12 * entries.length);
  head.writeUInt16BE(entries.length, 2);
  head.writeUInt16BE(head.byteLength, 4);
  let offset = 0;
  for (const [index, { id, text }] of entries.entries()) {
    [3, 1, 0x409, id, text.byteLength, offset].forEach((value, place) =>
      head.writeUInt16BE(value, 6 + 12 * index + 2 * place),
    );
    offset += text.byteLength;
  }
  return Buffer.concat([head, ...entries.map(({ text }) => text)]);
}
