import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { pageRouting } from '../../infra/constructs/page-routing.ts';

const routing = pageRouting(
  ['/pricing', '/checkout', '/checkout/return', '/articles/1', '/privacy', '/dashboard'],
  { '/policy': '/privacy' },
  { '/.well-known/change-password': '/dashboard#change-password' },
);
const run = (code: string, event: unknown): unknown =>
  vm.runInNewContext(`${code}; handler(event)`, { event: structuredClone(event) });
const request = (uri: string, querystring: unknown = {}) =>
  run(routing.request, { request: { method: 'GET', uri, querystring, headers: {}, cookies: {} } });

describe('an address is mapped to a file', () => {
  test.each([
    ['/', '/index.html'],
    ['/pricing', '/pricing.html'],
    ['/checkout', '/checkout.html'],
    ['/checkout/return', '/checkout/return.html'],
    ['/articles/1', '/articles/1.html'],
    ['/assets/app-1a2b.js', '/assets/app-1a2b.js'],
    ['/config.json', '/config.json'],
    ['/articles/1.md', '/articles/1.md'],
    ['/404.html', '/404.html'],
    ['/nowhere.html', '/nowhere.html'],
    ['/nowhere', '/404.html'],
    ['/articles/7', '/404.html'],
    ['/constructor', '/404.html'],
    ['/__proto__', '/404.html'],
    ['//evil.example/', '/404.html'],
    ['/\\evil.example/', '/404.html'],
    ['/Nowhere/', '/404.html'],
  ])('%s → %s', (uri, file) => {
    expect(request(uri)).toMatchObject({ uri: file });
  });
});

describe('a page has one address', () => {
  test.each([
    ['/pricing/', '/pricing'],
    ['/Pricing', '/pricing'],
    ['/CHECKOUT/Return/', '/checkout/return'],
    ['///', '/'],
    ['/pricing.html', '/pricing'],
    ['/index.html', '/'],
    ['/policy', '/privacy'],
    ['/Policy/', '/privacy'],
  ])('%s is redirected to %s', (uri, location) => {
    expect(request(uri)).toMatchObject({ statusCode: 301, headers: { location: { value: location } } });
  });

  test('a redirect keeps the query', () => {
    const query = {
      session_id: { value: 'cs_1' },
      a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] },
    };
    expect(request('/Checkout/Return', query)).toMatchObject({
      headers: { location: { value: '/checkout/return?session_id=cs_1&a=1&a=2' } },
    });
  });
});

test.each([
  ['/.well-known/change-password', {}, '/dashboard#change-password'],
  ['/.well-known/change-password/', {}, '/dashboard#change-password'],
  [
    '/.well-known/change-password',
    { from: { value: 'keychain' } },
    '/dashboard?from=keychain#change-password',
  ],
])('%s with %j redirects for now to %s', (uri, query, location) => {
  expect(request(uri, query)).toMatchObject({
    statusCode: 302,
    headers: { location: { value: location } },
  });
});

describe('an unknown address has status 404', () => {
  const status = (uri: string, statusCode = 200) =>
    (
      run(routing.response, { request: { uri }, response: { statusCode, headers: {} } }) as {
        statusCode: number;
      }
    ).statusCode;

  test.each([
    ['/nowhere', 404],
    // Password managers ask for it to learn whether the site's status codes can be relied on.
    ['/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200', 404],
    // CloudFront may pass the requested or the rewritten address.
    ['/404.html', 404],
    ['/pricing', 200],
    ['/pricing.html', 200],
    ['/', 200],
    ['/assets/app-1a2b.js', 200],
  ])('%s answers %i', (uri, expected) => {
    expect(status(uri)).toBe(expected);
  });

  test('a 304 keeps its status', () => {
    expect(status('/nowhere', 304)).toBe(304);
  });
});

test('both functions stay below CloudFront’s limit of 10 KB, with a hundred pages', () => {
  const many = pageRouting(Array.from({ length: 100 }, (_, n) => `/articles/some-article-of-ours-${n}`));
  expect(many.request.length).toBeLessThan(10_000);
  expect(many.response.length).toBeLessThan(10_000);
});
