import { expect, test } from 'vitest';
import { standIns } from '../../../infra/local/vendors/identity-providers/stand-ins.ts';
import { type ProviderKey, providerKeys, providers } from '../../../schemas/product/providers.ts';

test('every identity provider of the product has a stand-in of the same name', () => {
  // A missing stand-in doesn't compile.
  const modules: Record<ProviderKey, { name: string }> = standIns;
  for (const key of providerKeys) expect(modules[key].name).toBe(providers[key].name);
});
