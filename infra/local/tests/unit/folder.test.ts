import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { holdFolder } from '../../base/folder.ts';
import { StartFailure } from '../../base/start-failure.ts';
import { temporaryFolder } from '../fixtures/local-stack.ts';

const held: { release(): void }[] = [];
afterEach(() => {
  for (const folder of held.splice(0)) folder.release();
});
const hold = (folder: string) => held.push(holdFolder(folder));

const failureOf = (folder: string): string => {
  try {
    hold(folder);
  } catch (error) {
    expect(error).toBeInstanceOf(StartFailure);
    return (error as Error).message;
  }
  return '';
};

test('a missing folder is made with the folders above it', () => {
  const folder = path.join(temporaryFolder(), 'a', 'b');
  hold(folder);
  expect(existsSync(folder)).toBe(true);
});

test.runIf(process.platform === 'linux').each([
  // Nobody, not even root, can write there.
  ['/sys/selfsame', 'this account may not write there'],
  ['/proc/selfsame/data', 'its drive does not exist'],
])('%s is refused with the reason', (folder, reason) => {
  expect(failureOf(folder)).toBe(
    `The local world can't keep its data in ${folder}, because ${reason}: choose another folder with SELFSAME_LOCAL_DATA.`,
  );
});

test('a file is refused, and as a folder above', () => {
  const file = path.join(temporaryFolder(), 'notes.txt');
  writeFileSync(file, '');
  expect(failureOf(file)).toContain('is a file');
  expect(failureOf(path.join(file, 'data'))).toContain('is a file');
});

test('a folder whose lock is no database is refused with its reason', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'running.db'), 'not a database '.repeat(100));
  expect(failureOf(folder)).toContain('file is not a database');
  expect(readdirSync(folder)).toEqual(['running.db']);
});
