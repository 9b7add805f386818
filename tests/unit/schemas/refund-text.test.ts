import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withRefundText } from '../../../schemas/refund-text.ts';

test('a seller who offers a withdrawal says so wherever refunds are spoken of', () => {
  expect(withRefundText({ offered: false, days: 14 }).refunds).toBe('Payments are not refunded');
  expect(withRefundText({ offered: true, days: 14 }).refunds).toContain('For 14 days after the purchase');
});

test('pages and contents take the words about refunds from the setting', () => {
  const web = path.resolve(import.meta.dirname, '../../../web');
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(content\/(legal|help)|src\/(routes\/pricing|components\/checkout))\/.*\.(md|tsx?)$/.test(file),
  );
  const texts = files.map((file) => ({ file, text: readFileSync(path.join(web, file), 'utf8') }));
  expect(texts.filter(({ text }) => /\bnot\s+refunded/.test(text)).map(({ file }) => file)).toEqual([]);
  const speaking = texts.filter(({ text }) => text.includes('withdrawal.refunds'));
  expect(speaking.map(({ file }) => path.basename(file)).toSorted()).toEqual([
    '09-refunds.md',
    '13-refunds.md',
    'pricing-page.tsx',
    'questions.tsx',
  ]);
});
