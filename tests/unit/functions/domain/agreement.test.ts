import { AGREEMENT } from '../../../fixtures/fakes/main-offer.ts';
import { expect, test } from 'vitest';
import { agreementIn, agreementMetadata } from '../../../../functions/domain/agreement.ts';
import { markOf } from '../../../../functions/domain/mark.ts';

test('an agreement is read from the metadata that it was stored in', () => {
  expect(AGREEMENT.price).toMatch(/^\d+\.\d\d [A-Z]{3} per (?:month|year)$/);
  const metadata = { ...markOf('production', 'ada'), ...agreementMetadata(AGREEMENT) };
  expect(agreementIn(metadata)).toEqual(AGREEMENT);
});

test('a subscription that support made has no agreement', () => {
  expect(agreementIn(markOf('production', 'ada'))).toBeUndefined();
  for (const missing of Object.keys(agreementMetadata(AGREEMENT)))
    expect(agreementIn({ ...agreementMetadata(AGREEMENT), [missing]: undefined! })).toBeUndefined();
  expect(agreementIn(null)).toBeUndefined();
});
