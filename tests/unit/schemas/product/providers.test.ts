import { expect, test } from 'vitest';
import {
  eitherOf,
  isProvider,
  isProviderKey,
  providerKeys,
  providerNames,
} from '../../../../schemas/product/providers.ts';

test('each provider is known by its name, and by its key in addresses', () => {
  for (const name of providerNames) expect(isProvider(name)).toBe(true);
  for (const key of providerKeys) expect(isProviderKey(key)).toBe(true);
});

test.each(['google', 'Facebook', '', undefined, null])('%o is no name of a provider', (name) => {
  expect(isProvider(name)).toBe(false);
});

test.each(['Google', 'constructor', '', null])('%o is no key of a provider', (key) => {
  expect(isProviderKey(key)).toBe(false);
});

test('a sentence names the providers in English', () => {
  expect(eitherOf(['Google', 'GitHub'])).toBe('Google or GitHub');
});
