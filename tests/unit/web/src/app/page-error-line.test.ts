import { expect, test } from 'vitest';
import { pageErrorLine } from '../../../../../web/src/app/page-error-line.ts';

const line = (error: unknown, componentStack?: string) =>
  JSON.parse(pageErrorLine(error, { origin: 'caught', path: '/login', componentStack })) as Record<
    string,
    unknown
  >;

test('an error is one line with its message, stack, component stack and path', () => {
  const error = new TypeError('x is undefined');
  expect(pageErrorLine(error, { origin: 'caught', path: '/login' })).not.toContain('\n');
  expect(line(error, '\n    at LoginPage')).toEqual({
    event: 'page-error',
    origin: 'caught',
    path: '/login',
    message: 'TypeError: x is undefined',
    stack: error.stack,
    componentStack: '\n    at LoginPage',
  });
});

test.each([
  ['a thrown text', 'No.', 'No.'],
  ['nothing', undefined, 'undefined'],
  ['a question', 'Really? Yes.', 'Really? Yes.'],
  [
    'an address with a query',
    'Failed: https://a.example/x?code=1&state=2 (GET)',
    'Failed: https://a.example/x (GET)',
  ],
  ['an address with a fragment', 'Failed: https://a.example/x#access_token=1', 'Failed: https://a.example/x'],
  ['a path with a query', '/reset-password?access_token=123456&refresh_token=ada', '/reset-password'],
  ['a token', 'Bad token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl.', 'Bad token [token].'],
])('%s is reported without query and tokens', (_, thrown, message) => {
  expect(line(thrown)).toMatchObject({ message });
});

test('the stacks have no query and no tokens either', () => {
  const error = new Error('Failed at /oauth/callback?code=secret');
  const text = JSON.stringify(line(error, '\n    at Page (https://a.example/x.js?state=secret)'));
  expect(text).not.toContain('secret');
});
