import { expect, test } from 'vitest';
import { standIns } from '../../../infra/local/vendors/identity-providers/providers.ts';
import { type ProviderKey, providerKeys, providers } from '../../../schemas/product/providers.ts';

test('every identity provider of the product has a stand-in of the same name', () => {
  // A missing stand-in doesn't compile.
  const names: Record<ProviderKey, string> = standIns;
  for (const key of providerKeys) expect(names[key]).toBe(providers[key].name);
});
