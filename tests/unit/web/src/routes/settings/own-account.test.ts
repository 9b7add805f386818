import { expect, test } from 'vitest';
import type { AccountExport } from '../../../../../../schemas/shapes/account-export.ts';
import { exportFile } from '../../../../../../web/src/routes/settings/account/export-file.ts';
import { nameSentence } from '../../../../../../web/src/account/name-sentence.ts';

test.each([
  ['Ada Lovelace', null],
  ['', 'Please enter your name'],
  ['a'.repeat(101), 'Your name can have at most 100 characters'],
  ['Ada\u0000', "Your name has a character that can't be seen. Please type it again."],
])('the form says of the name %j: %j', (name, sentence) => {
  expect(nameSentence(name)).toBe(sentence);
});

const account = { id: 'ada', email: 'ada@example.com', name: 'Ada' };
const data = { exported_at: '2026-03-04T23:30:00.000Z', account } as AccountExport;

test('the export is named after the day, with two digits for month and day', () => {
  expect(exportFile(data, new Date(2026, 2, 4)).name).toBe('selfsame-data-2026-03-04.json');
  expect(exportFile(data, new Date(2026, 11, 31)).name).toBe('selfsame-data-2026-12-31.json');
});

test('the export is the data as indented JSON', () => {
  const { content } = exportFile(data, new Date(2026, 2, 4));
  expect(JSON.parse(content)).toEqual(data);
  expect(content).toContain('\n  "account": {\n');
});
