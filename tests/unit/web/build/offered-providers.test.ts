import { expect, test } from 'vitest';
import { namesOf } from '../../../../web/build/offered-providers.ts';

test('a build has the buttons of the providers that it is given, in their order', () => {
  expect(namesOf('github,google')).toEqual(['GitHub', 'Google']);
  expect(namesOf('google')).toEqual(['Google']);
  expect(namesOf('')).toEqual([]);
});

test('a build that is given no providers has the buttons of all', () => {
  expect(namesOf(undefined)).toEqual(['Google', 'GitHub']);
});

test('a build stops at a provider that does not exist', () => {
  expect(() => namesOf('google,gitlab')).toThrow('the unknown provider gitlab');
});
