import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paidPlans, plans } from '../../../schemas/product/offers.ts';
import { product } from '../../../schemas/product/product.ts';

const files = globSync([
  '{functions,schemas}/**/*.ts',
  'web/{build,src}/**/*.{ts,tsx}',
  'web/content/**/*.md',
  'infra/{constructs,operate}/**/*.ts',
]).filter((file) => !file.endsWith('README.md'));

/** The lines with these words, apart from comments. */
const linesWith = (words: RegExp, except: readonly string[]): string[] =>
  files
    .filter((file) => !except.includes(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line, index) => [
          line.replace(/^\s*(?:\/?\*|\/\/|\{\/\*).*|\s\/\/ .*/, ''),
          `${file}:${index + 1}`,
        ])
        .filter(([line]) => words.test(line ?? ''))
        .map(([, at]) => at ?? ''),
    );

test('no text names a paid plan but by the catalogue, so that it is right for each plan', () => {
  const names = paidPlans.flatMap((plan) => [`'${plan}'`, plans[plan].name]);
  const except = [
    'schemas/product/plans-and-offers.ts',
    // Compares the prices of other products.
    'web/src/routes/values/compare.tsx',
  ];
  expect(linesWith(new RegExp(`(?<!\\w)(?:${names.join('|')})(?!\\w)`), except)).toEqual([]);
});

test('no text but an article about the word spells the name, so that a rename reaches each', () => {
  const except = ['schemas/product/product.ts', 'web/content/articles/1-the-same-again.md'];
  expect(linesWith(new RegExp(`(?<!\\w)${product.name}(?!\\w)`), except)).toEqual([]);
});
