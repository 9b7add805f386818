import { expect, test } from 'vitest';
import { defaultProviders } from '../../../../schemas/product/providers.ts';
import { providersIn } from '../../../../web/build/offered-providers.ts';

test('a build has the buttons of the providers that it is given, in their order, and else the default ones', () => {
  const given = ['github,google', 'google', '', undefined];
  expect(given.map(providersIn)).toEqual([['github', 'google'], ['google'], [], defaultProviders]);
  expect(() => providersIn('google,gitlab')).toThrow('the unknown provider gitlab');
});
