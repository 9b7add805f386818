import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { refundText } from '../../../../schemas/product/refund-text.ts';

test('a seller who offers a withdrawal says so', () => {
  expect(refundText({ offered: false, days: 14 })).toBe('Payments are not refunded');
  expect(refundText({ offered: true, days: 14 })).toContain('within 14 days of the purchase');
});

test('pages and contents take the words about refunds from the setting', () => {
  const web = path.resolve(import.meta.dirname, '../../../../web');
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(content\/(legal|help)|src\/(routes\/pricing|components\/checkout))\/.*\.(md|tsx?)$/.test(file),
  );
  const texts = files.map((file) => ({ file, text: readFileSync(path.join(web, file), 'utf8') }));
  expect(texts.filter(({ text }) => /\bnot\s+refunded/.test(text)).map(({ file }) => file)).toEqual([]);
  const speaking = texts.filter(({ text }) => /\{refunds\}/.test(text));
  expect(speaking.map(({ file }) => path.basename(file)).toSorted()).toEqual([
    '06-refunds.md',
    '13-refunds.md',
    'checkout-layout.tsx',
    'pricing-page.tsx',
  ]);
});
