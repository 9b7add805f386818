import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cache, kept } from '../../fixtures/repository/kept.ts';

const NAME = `tried-by-${process.pid}`;
const folder = path.join(cache, NAME);
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const make = async (into: string): Promise<number> => {
  mkdirSync(into);
  writeFileSync(path.join(into, 'file'), 'what was made');
  made += 1;
  return made;
};

test('what was made from the same inputs is made once, with its files, and from others again', async () => {
  made = 0;
  let place = '';
  const inPlace = (into: string) => make((place = into));
  expect(await kept(NAME, () => 'a', inPlace)).toBe(1);
  expect(await kept(NAME, () => 'a', inPlace)).toBe(1);
  expect(readFileSync(path.join(place, 'file'), 'utf8')).toBe('what was made');
  expect(await kept(NAME, () => 'b', make)).toBe(2);
  expect(await kept(NAME, () => 'a', make)).toBe(1);
});

test('those who ask at the same time share what one of them makes', async () => {
  made = 0;
  expect(await Promise.all([1, 2, 3].map(() => kept(NAME, () => 'a', make)))).toEqual([1, 1, 1]);
});

test('what failed, or was made while its inputs changed, is made again', async () => {
  made = 0;
  const fails = () => Promise.reject(new Error('No.'));
  await expect(kept(NAME, () => 'a', fails)).rejects.toThrow('No.');
  let inputs = 'a';
  const saving = (into: string) => {
    inputs = 'b';
    return make(into);
  };
  expect(await kept(NAME, () => inputs, saving)).toBe(1);
  expect(await kept(NAME, () => 'a', make)).toBe(2);
});

test('the lock of a process that is gone holds up nobody', async () => {
  made = 0;
  await kept(NAME, () => 'a', make);
  const [key = ''] = readdirSync(folder);
  rmSync(path.join(folder, key), { recursive: true });
  // Larger than any process's id.
  writeFileSync(path.join(folder, `${key}.lock`), String(2 ** 30));
  expect(await kept(NAME, () => 'a', make)).toBe(2);
  expect(existsSync(path.join(folder, `${key}.lock`))).toBe(false);
});
