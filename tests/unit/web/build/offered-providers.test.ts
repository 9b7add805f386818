import { expect, test } from 'vitest';
import { namesOf } from '../../../../web/build/offered-providers.ts';

test('a build has the buttons of the providers that it is given, in their order, and else of all', () => {
  const given = ['github,google', 'google', '', undefined];
  expect(given.map(namesOf)).toEqual([['GitHub', 'Google'], ['Google'], [], ['Google', 'GitHub']]);
  expect(() => namesOf('google,gitlab')).toThrow('the unknown provider gitlab');
});
