import { expect, test } from 'vitest';
import { agreementIn, agreementMetadata, agreementToday } from '../../../../functions/domain/agreement.ts';
import { markOf } from '../../../../functions/domain/mark.ts';

test('an agreement is read from the metadata that it was stored in', () => {
  expect(agreementToday.price).toMatch(/^\d+\.\d\d [A-Z]{3} per (?:month|year)$/);
  const metadata = { ...markOf('production', 'ada'), ...agreementMetadata(agreementToday) };
  expect(agreementIn(metadata)).toEqual(agreementToday);
});

test('a subscription that support made has no agreement', () => {
  expect(agreementIn(markOf('production', 'ada'))).toBeUndefined();
  expect(agreementIn({ agreed_terms: '1.0' })).toBeUndefined();
  expect(agreementIn({ agreed_price: '5.00 USD per month' })).toBeUndefined();
  expect(agreementIn(null)).toBeUndefined();
});
