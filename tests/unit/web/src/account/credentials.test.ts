import { expect, test } from 'vitest';
import { passwordFault } from '../../../../../web/src/account/credentials.ts';
import { expiredCookies } from '../../../../../web/src/session/expired-cookies.ts';

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

const at = (hostname: string, pathname = '/') => ({ hostname, pathname });

test('every cookie is deleted for this host and its parent domains', () => {
  const past = 'path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT';
  expect(expiredCookies('a=1; b=x=y', at('www.selfsame.example'))).toEqual([
    `a=; ${past}`,
    `a=; ${past}; domain=www.selfsame.example`,
    `a=; ${past}; domain=selfsame.example`,
    `b=; ${past}`,
    `b=; ${past}; domain=www.selfsame.example`,
    `b=; ${past}; domain=selfsame.example`,
  ]);
});

test('without cookies nothing is deleted', () => {
  expect(expiredCookies('', at('localhost'))).toEqual([]);
});

/** The paths for which cookies are deleted on a page. */
const pathsOn = (pathname: string) =>
  expiredCookies('a=1', at('localhost', pathname)).map((cookie) => /path=([^;]*)/.exec(cookie)?.[1]);

test.each([
  ['/', ['/']],
  ['/dashboard', ['/', '/dashboard']],
  ['/checkout/return', ['/', '/checkout', '/checkout/', '/checkout/return']],
  ['/articles/1/', ['/', '/articles', '/articles/', '/articles/1', '/articles/1/']],
])('the page %s deletes the cookies of every path that it sees', (pathname, paths) => {
  expect(pathsOn(pathname)).toEqual(paths);
});

test('a cookie whose prefix demands a secure connection is deleted with that attribute', () => {
  const past = 'path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT';
  expect(expiredCookies('__Host-a=1; __Secure-b=1; c=1', at('localhost'))).toEqual([
    `__Host-a=; ${past}; secure`,
    `__Secure-b=; ${past}; secure`,
    `c=; ${past}`,
  ]);
});
