import { expect, test } from 'vitest';
import {
  defaultProviders,
  idForms,
  isProviderKey,
  namesOf,
  providerInPool,
  providerInUserName,
  providerKeys,
  providers,
  providersIn,
} from '../../../../schemas/product/providers.ts';

test.each(providerKeys)('%s is known by its key, by its name in the pool, and in user names', (key) => {
  const { poolName } = providers[key];
  expect(isProviderKey(key)).toBe(true);
  for (const name of [poolName, poolName.toLowerCase()]) {
    expect(providerInPool(name)).toBe(key);
    expect(providerInUserName(`${name}_1234`)).toBe(key);
  }
});

test.each(['Google', 'constructor', '', null, undefined])('%o is no key of a provider', (key) => {
  expect(isProviderKey(key)).toBe(false);
});

test.each(['', 'constructor', 'Facebook', 'Google_1', 'oogle'])('the pool has no provider %o', (name) => {
  expect(providerInPool(name)).toBeUndefined();
});

test.each(providerKeys)('no user name of another provider is one of %s', (key) => {
  const { poolName } = providers[key];
  // One word, so that no other provider's user names begin with it.
  expect(poolName).toMatch(/^[A-Za-z]{1,32}$/);
  expect(
    providerKeys.filter((other) => providers[other].poolName.toLowerCase() === poolName.toLowerCase()),
  ).toEqual([key]);
});

test.each(providerKeys)('an id at %s has no capitals, spaces or line breaks, and is not empty', (key) => {
  const id = idForms[key];
  expect(id.source).toMatch(/^\^.*\$$/);
  expect(id.flags).toBe('');
  for (const text of ['', 'A', '1A', '1 2', '1\n', ' 1', '1_google_2', 'é'])
    expect(id.test(text)).toBe(false);
});

test('a sentence names the providers in English', () => {
  expect(namesOf(defaultProviders)).toBe(defaultProviders.map((key) => providers[key].name).join(' or '));
});

test('a build has the buttons of the providers that it is given, in their order, and else the default ones', () => {
  const given = ['github,google', 'google', '', undefined];
  expect(given.map(providersIn)).toEqual([['github', 'google'], ['google'], [], defaultProviders]);
  expect(() => providersIn('google,gitlab')).toThrow('the unknown provider gitlab');
});
