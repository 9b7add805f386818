import { expect, test } from 'vitest';
import { offers } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';

test('the site sells what the specification says: Plus at $5 a month', () => {
  expect(offers).toMatchObject([{ key: 'plus-monthly', name: 'Plus', price: '$5', period: 'per month' }]);
});

test('the slug stays: stacks and secrets have it in their names, and every mark at Stripe begins with it', () => {
  // Another slug would deploy a second, empty stack and leave all customers at Stripe to nobody.
  expect(product.slug).toBe('selfsame');
});

test('the texts that play on the name are about this name', () => {
  // Renamed? CONTRIBUTING lists them ("A new name"): write them again, then put the new name here.
  expect(product.name).toBe('Selfsame');
});
