import { expect, test } from 'vitest';
import { signUpCookie, signUpCookieIn } from '../../../../../web/src/account/sign-up-cookie.ts';

test('over TLS, the cookie has the prefix that no other host can set, and no other is read', () => {
  expect(signUpCookie('mine', 60, true)).toBe(
    '__Host-sign-up=mine; path=/; max-age=60; samesite=strict; secure',
  );
  expect(signUpCookieIn('sign-up=planted; a=b; __Host-sign-up=mine', true)).toBe('mine');
  expect(signUpCookieIn('sign-up=planted', true)).toBe('');
});

test('of two cookies, neither counts', () => {
  expect(signUpCookieIn('sign-up=mine; a=b', false)).toBe('mine');
  expect(signUpCookieIn('sign-up=planted; sign-up=mine', false)).toBe('');
});
