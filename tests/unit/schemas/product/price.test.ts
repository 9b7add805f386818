import { expect, test } from 'vitest';
import { plans } from '../../../../schemas/product/product.ts';
import { amountText, withPriceText } from '../../../../schemas/product/price.ts';

test.each([
  [500, '$5'],
  [900, '$9'],
  [950, '$9.50'],
  [0, '$0'],
])('%i cents are written %s', (priceInCents, text) => {
  expect(amountText({ priceInCents, currency: 'usd' })).toBe(text);
});

test.each([
  ['month', 500, '$5 per month'],
  ['year', 4_950, '$49.50 per year'],
  [null, 0, '$0 forever'],
] as const)('a plan charged every %s at %i cents costs %s', (interval, priceInCents, text) => {
  const { price, period } = withPriceText({ priceInCents, currency: 'usd', interval });
  expect(`${price} ${period}`).toBe(text);
});

test.each(Object.values(plans))('the plan $name says what it offers', ({ features }) => {
  expect(features.length).toBeGreaterThan(0);
  expect(features.filter((feature) => feature.trim() === '')).toEqual([]);
});
