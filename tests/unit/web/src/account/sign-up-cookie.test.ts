import { expect, test, vi } from 'vitest';
import {
  addressToConfirm,
  keepSignUpSecret,
  NO_MAIL,
  signUpSecret,
} from '../../../../../web/src/account/sign-up-browser.ts';
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

test('a link confirms another spelling of its mailbox only if that sign-up got no mail of its own', () => {
  vi.stubGlobal('location', { protocol: 'http:' });
  vi.stubGlobal('document', { cookie: '' });
  const linked = 'Ada+news@example.com';
  expect(addressToConfirm(linked)).toBe(linked);
  keepSignUpSecret('ada+shop@example.com', NO_MAIL);
  expect(addressToConfirm(linked)).toBe('ada+shop@example.com');
  expect(signUpSecret('ada+shop@example.com')).toBeUndefined();
  expect(addressToConfirm('ada@example.com')).toBe('ada@example.com');
  keepSignUpSecret('ada+shop@example.com', 'a secret');
  expect(addressToConfirm(linked)).toBe(linked);
  vi.unstubAllGlobals();
});
