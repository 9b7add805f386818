import { expect, test } from 'vitest';
import { standIns } from '../../../infra/local/vendors/identity-providers/providers.ts';
import { type ProviderKey, providers } from '../../../schemas/product/providers.ts';

test('every identity provider of the product has a stand-in of the same name', () => {
  // A missing stand-in doesn't compile.
  expect(standIns satisfies Record<ProviderKey, string>).toEqual(providers);
});
