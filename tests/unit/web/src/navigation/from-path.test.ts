import { describe, expect, test } from 'vitest';
import { isCheckout, inAppPath } from '../../../../../web/src/navigation/from-path.ts';

describe('the path after signing in', () => {
  test('is the page the user came from, query and fragment included', () => {
    expect(inAppPath('/pricing')).toBe('/pricing');
    expect(inAppPath({ pathname: '/checkout', search: '?plan=plus', hash: '#card' })).toBe(
      '/checkout?plan=plus#card',
    );
  });

  test.each([undefined, null, 7, '', {}, { pathname: 3 }, { pathname: '/a', search: 3 }])(
    'is the dashboard where nobody said: %j',
    (from) => {
      expect(inAppPath(from)).toBe('/dashboard');
    },
  );

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    'dashboard',
    '\\\\evil.example',
    { pathname: '//evil.example', search: '?x' },
    { pathname: '/', search: '/evil.example' },
    { pathname: 'https:', search: '//evil.example' },
  ])('is never another site: %j', (from) => {
    const path = inAppPath(from);
    expect(new URL(path, 'https://selfsame.example').origin).toBe('https://selfsame.example');
    expect(path).toMatch(/^\/(?![/\\])/);
  });

  test.each(['/login', '/signup', '/login?again', { pathname: '/signup' }])(
    'is not the page that would only send them on: %j',
    (from) => {
      expect(inAppPath(from)).toBe('/dashboard');
    },
  );
});

test('only the checkout itself is one, with any plan', () => {
  const paths = ['/checkout', '/checkout?plan=plus', '/checkout#card', '/checkout/return', '/checkouts', '/'];
  expect(paths.filter(isCheckout)).toEqual(paths.slice(0, 3));
});
