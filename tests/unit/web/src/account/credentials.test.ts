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

const past = 'path=/; max-age=0';
test.each([
  ['', 'localhost', []],
  [
    'a=1; b=x=y',
    'www.selfsame.example',
    ['a', 'b'].flatMap((name) =>
      ['', '; domain=www.selfsame.example', '; domain=selfsame.example'].map(
        (domain) => `${name}=; ${past}${domain}`,
      ),
    ),
  ],
  // The prefixes demand a secure connection.
  [
    '__Host-a=1; __Secure-b=1; c=1',
    'localhost',
    [`__Host-a=; ${past}; secure`, `__Secure-b=; ${past}; secure`, `c=; ${past}`],
  ],
])('the cookies %j are deleted for the host %s and its parent domains', (cookies, host, expired) => {
  expect(expiredCookies(cookies, at(host))).toEqual(expired);
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
