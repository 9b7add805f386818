import { expect, test } from 'vitest';
import { offersOf, planNames, plans } from '../../../../schemas/product/offers.ts';
import { amountText } from '../../../../schemas/product/price.ts';

test.each([
  [500, '$5'],
  [900, '$9'],
  [950, '$9.50'],
  [0, '$0'],
])('%i cents are written %s', (priceInCents, text) => {
  expect(amountText({ priceInCents, currency: 'usd' })).toBe(text);
});

test('every plan says what it offers, and every paid plan is sold', () => {
  for (const plan of planNames) {
    expect(plans[plan].features.filter((feature) => feature.trim() === '')).toEqual([]);
    expect(offersOf(plan).length > 0).toBe(plan !== 'free');
  }
});
