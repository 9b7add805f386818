import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const [, section = ''] = readme.split('### A restricted key for Stripe');
const [table = ''] = section.split('\n### ');

/** `GET /v1/events` of every call in the table; methods that share a path are written before it. */
const permitted = new Set(
  [...table.matchAll(/((?:`(?:GET|POST|DELETE)`(?:, | and ))*)`(GET|POST|DELETE) (\/v1\/[\w/:]+)`/g)].flatMap(
    ([, before = '', last, path]) =>
      [...before.matchAll(/`(\w+)`/g)].map(([, method]) => `${method} ${path}`).concat(`${last} ${path}`),
  ),
);

test('the README’s restricted key for Stripe may make each call that functions are seen to make', () => {
  const calls = readFileSync('tests/integration/product/calls.test.ts', 'utf8');
  const made = new Set(
    [...calls.matchAll(/Stripe ((?:GET|POST|DELETE) \/v1\/[\w/:]+)/g)].map(([, call]) => call),
  );
  expect(made.size).toBeGreaterThan(15);
  expect([...made].filter((call) => !permitted.has(call ?? ''))).toEqual([]);
});
