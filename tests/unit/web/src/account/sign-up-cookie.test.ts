import { expect, test } from 'vitest';
import { signUpCookie, signUpCookieIn, spellingOf } from '../../../../../web/src/account/sign-up-cookie.ts';

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

test('a link confirms another spelling of its mailbox only if that sign-up got no mail of its own', () => {
  const linked = 'Ada+news@example.com';
  const asked = 'ada%2Bshop%40example%2Ecom.';
  expect(spellingOf(linked, asked)).toBe('ada+shop@example.com');
  expect(spellingOf(linked, `${asked}secret`)).toBe(linked);
  expect(spellingOf('ada@example.com', asked)).toBe('ada@example.com');
  expect(spellingOf(linked, '')).toBe(linked);
});
