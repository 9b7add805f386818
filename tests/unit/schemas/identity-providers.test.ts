import { expect, test } from 'vitest';
import { providerModules } from '../../../infra/constructs/identity/providers/provider-modules.ts';
import { standIns } from '../../../infra/local/vendors/identity-providers/stand-ins.ts';
import { idForms, type ProviderKey, providerKeys, providers } from '../../../schemas/product/providers.ts';

// A provider without a stand-in doesn't compile.
const modules: Record<
  ProviderKey,
  { name: string; client: Readonly<Record<string, string>>; accounts: { idFrom: (digest: bigint) => string } }
> = standIns;

test.each(providerKeys)('the stand-in of %s has its name, and ids of its form', (key) => {
  expect(modules[key].name).toBe(providers[key].name);
  for (const digest of [0n, 1n, 2n ** 255n, 2n ** 256n - 1n]) {
    expect(modules[key].accounts.idFrom(digest)).toMatch(idForms[key]);
  }
});

test.each(providerKeys)(
  'the preflight takes the keys of the stand-in of %s, and asks for no others',
  (key) => {
    const { client } = modules[key];
    const { fields } = providerModules[key];
    expect(Object.keys(fields)).toEqual(Object.keys(client));
    for (const [field, { problemOf }] of Object.entries(fields)) {
      expect([field, problemOf(client[field] ?? '')]).toEqual([field, undefined]);
      for (const value of ['', 'two words', 'two\nlines']) expect(problemOf(value)).toMatch(/^has to /);
    }
  },
);
