import { generateKeyPairSync } from 'node:crypto';
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
    const id = modules[key].accounts.idFrom(digest);
    expect(id).toMatch(idForms[key]);
    // Cognito writes user names in lower case.
    expect(id === id.toUpperCase() || !idForms[key].test(id.toUpperCase())).toBe(true);
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

test('the preflight takes a key of Apple only as one line of the P-256 key', () => {
  const { problemOf } = providerModules.apple.fields['privateKey'] ?? {};
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  expect(problemOf?.(key.export({ format: 'der', type: 'pkcs8' }).toString('base64'))).toBeUndefined();
  expect(problemOf?.(key.export({ format: 'pem', type: 'pkcs8' }).toString())).toContain(
    'one line of Base64',
  );
  for (const wrong of [other.export({ format: 'der', type: 'pkcs8' }).toString('base64'), 'AAAA']) {
    expect(problemOf?.(wrong)).toContain('P-256');
  }
});
