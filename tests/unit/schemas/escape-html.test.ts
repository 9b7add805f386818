import { expect, test } from 'vitest';
import { escapeHtml } from '../../../schemas/escape-html.ts';

test.each([
  ['"', '&quot;'],
  ["'", '&#39;'],
])('text in an attribute with %s around it ends neither the attribute nor the tag', (quote, entity) => {
  expect(`<a title=${quote}${escapeHtml(`${quote}><script>&`)}${quote}>`).toBe(
    `<a title=${quote}${entity}&gt;&lt;script&gt;&amp;${quote}>`,
  );
});

test('other characters stay as they are', () => {
  expect(escapeHtml('Ada’s “é” 1/2')).toBe('Ada’s “é” 1/2');
});
