import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paidPlans, plans } from '../../../schemas/product/offers.ts';

/** The catalogue, and a page that compares the prices of other products. */
const EXCEPT = new Set(['schemas/product/plans-and-offers.ts', 'web/src/routes/values/compare.tsx']);

test('no text of the product names a paid plan but by the catalogue, so that it is right for each plan', () => {
  const names = new RegExp(
    `\\b(${paidPlans.flatMap((plan) => [`'${plan}'`, plans[plan].name]).join('|')})\\b`,
  );
  const found = globSync([
    '{functions,schemas}/**/*.ts',
    'web/{build,src}/**/*.{ts,tsx}',
    'web/content/**/*.md',
    'infra/{constructs,operate}/**/*.ts',
  ])
    .filter((file) => !EXCEPT.has(file) && !file.endsWith('README.md'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        // Comments say Plus for any paid plan.
        .map((line, index) => ({
          line: line.replace(/^\s*(?:\/\*\*?|\*|\/\/|\{\/\*).*|\s\/\/ .*/, ''),
          at: `${file}:${index + 1}`,
        }))
        .filter(({ line }) => names.test(line))
        .map(({ at }) => at),
    );
  expect(found).toEqual([]);
});
