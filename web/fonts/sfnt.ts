import type { Family } from './faces.ts';

// https://learn.microsoft.com/en-us/typography/opentype/spec/otff
const HEADER = 12;
const TABLE_RECORD = 16;

interface Table {
  tag: string;
  data: Buffer;
}

/** A TrueType font with the family's metrics and another name. The version and license stay. */
export function adapted(font: Buffer, family: string, { ascent, descent, copyright }: Family): Buffer {
  const tables = tablesOf(font);
  const table = (tag: string): Buffer => {
    const found = tables.find((candidate) => candidate.tag === tag);
    if (!found) throw new Error(`The font has no table ${tag}.`);
    return found.data;
  };
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
  const name = nameTable({
    0: copyright,
    1: family,
    2: 'Regular',
    3: family,
    4: family,
    6: family.replaceAll(' ', ''),
    13: 'This Font Software is licensed under the SIL Open Font License, Version 1.1.',
    14: 'https://openfontlicense.org',
  });
  return joined(
    font.readUInt32BE(0),
    tables.map(({ tag, data }) => ({ tag, data: tag === 'name' ? name : data })),
  );
}

function tablesOf(font: Buffer): Table[] {
  return Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const record = HEADER + index * TABLE_RECORD;
    const offset = font.readUInt32BE(record + 8);
    return {
      tag: font.toString('latin1', record, record + 4),
      data: Buffer.from(font.subarray(offset, offset + font.readUInt32BE(record + 12))),
    };
  });
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

/** A font made of these tables, in their order. */
function joined(version: number, tables: readonly Table[]): Buffer {
  const directory = Buffer.alloc(HEADER + tables.length * TABLE_RECORD);
  const power = 2 ** Math.floor(Math.log2(tables.length));
  directory.writeUInt32BE(version, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(power * 16, 6);
  directory.writeUInt16BE(Math.log2(power), 8);
  directory.writeUInt16BE((tables.length - power) * 16, 10);
  let offset = directory.byteLength;
  const parts = tables.map(({ tag, data }, index) => {
    const padded = Buffer.concat([data, Buffer.alloc(-data.byteLength & 3)]);
    // The total checksum counts as 0 in the checksum of its own table.
    if (tag === 'head') padded.writeUInt32BE(0, 8);
    const record = HEADER + index * TABLE_RECORD;
    directory.write(tag, record, 'latin1');
    directory.writeUInt32BE(checksum(padded), record + 4);
    directory.writeUInt32BE(offset, record + 8);
    directory.writeUInt32BE(data.byteLength, record + 12);
    offset += padded.byteLength;
    return padded;
  });
  const head = parts[tables.findIndex(({ tag }) => tag === 'head')];
  head?.writeUInt32BE((0xb1b0afba - checksum(Buffer.concat([directory, ...parts]))) >>> 0, 8);
  return Buffer.concat([directory, ...parts]);
}

function checksum(data: Buffer): number {
  let sum = 0;
  for (let place = 0; place < data.byteLength; place += 4) sum = (sum + data.readUInt32BE(place)) >>> 0;
  return sum;
}
