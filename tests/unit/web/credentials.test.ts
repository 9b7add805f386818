import { expect, test } from 'vitest';
import { passwordFault } from '../../../web/src/session/credentials.ts';
import { expiredCookies } from '../../../web/src/session/expired-cookies.ts';

test.each([
  ['secret', 'secret', null],
  ['secre', 'secre', 'Password must be at least 6 characters'],
  ['secret', 'secreT', 'Passwords do not match'],
  [' secret', ' secret', 'Password must not begin or end with a space'],
  ['secret ', 'secret ', 'Password must not begin or end with a space'],
  ['pass phrase', 'pass phrase', null],
])('a new password %j, repeated as %j, has the fault %j', (password, confirmation, fault) => {
  expect(passwordFault(password, confirmation)).toBe(fault);
});

test('every cookie is deleted for this host and its parent domains', () => {
  const past = 'path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT';
  expect(expiredCookies('a=1; b=x=y', 'www.selfsame.example')).toEqual([
    `a=; ${past}`,
    `a=; ${past}; domain=www.selfsame.example`,
    `a=; ${past}; domain=selfsame.example`,
    `b=; ${past}`,
    `b=; ${past}; domain=www.selfsame.example`,
    `b=; ${past}; domain=selfsame.example`,
  ]);
});

test('without cookies nothing is deleted', () => {
  expect(expiredCookies('', 'localhost')).toEqual([]);
});
