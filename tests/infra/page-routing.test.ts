import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { pageRouting, siteFilesOf } from '../../infra/constructs/website/page-routing.ts';

const routing = pageRouting(
  {
    pages: ['/pricing', '/checkout', '/checkout/return', '/articles/1', '/privacy', '/dashboard'],
    notFound: ['/articles'],
    others: ['/config.json', '/articles/1.md', '/.well-known/security.txt'],
  },
  { '/policy': '/privacy' },
  { '/.well-known/change-password': '/settings#change-password' },
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
    ['/.well-known/security.txt', '/.well-known/security.txt'],
    ['/404.html', '/404.html'],
    ['/nowhere.html', '/404.html'],
    ['/nowhere', '/404.html'],
    ['/wp-login.php', '/404.html'],
    ['/.well-known/nothing.txt', '/404.html'],
    ['/articles/7', '/articles/not-found.html'],
    ['/Articles/7/', '/articles/not-found.html'],
    ['/articles/7.md', '/articles/not-found.html'],
    ['/articles/not-found', '/articles/not-found.html'],
    ['/articles/1/2', '/404.html'],
    ['/constructor', '/404.html'],
    ['/__proto__', '/404.html'],
    ['//evil.example/', '/404.html'],
    ['/\\evil.example/', '/404.html'],
    ['/Nowhere/', '/404.html'],
  ])('%s → %s', (uri, file) => {
    expect(request(uri)).toMatchObject({ uri: file });
  });
});

test('another name of the site redirects to the site, with the path and the query', () => {
  const { request: code } = pageRouting(
    { pages: ['/pricing'], notFound: [], others: [] },
    {},
    {},
    { 'selfsame.example': 'www.selfsame.example' },
  );
  const visit = (host: string, uri: string) =>
    run(code, {
      request: { method: 'GET', uri, querystring: { a: { value: '1' } }, headers: { host: { value: host } } },
    });
  for (const uri of ['/pricing', '//evil.example/', '/']) {
    expect(visit('selfsame.example', uri)).toMatchObject({
      statusCode: 301,
      headers: { location: { value: `https://www.selfsame.example${uri}?a=1` } },
    });
  }
  expect(visit('www.selfsame.example', '/pricing')).toMatchObject({ uri: '/pricing.html' });
  expect(visit('d1.cloudfront.net', '/pricing')).toMatchObject({ uri: '/pricing.html' });
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
  ['/.well-known/change-password', {}, '/settings#change-password'],
  ['/.well-known/change-password/', {}, '/settings#change-password'],
  [
    '/.well-known/change-password',
    { from: { value: 'keychain' } },
    '/settings?from=keychain#change-password',
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
    ['/articles/7', 404],
    ['/articles/not-found.html', 404],
    ['/wp-login.php', 404],
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

describe('a text has its character set in the header', () => {
  const typeOf = (type: string, uri = '/pricing') =>
    run(routing.response, {
      request: { uri },
      response: { statusCode: 200, headers: { 'content-type': { value: type } } },
    });

  test.each([
    ['text/html', 'text/html; charset=utf-8'],
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['application/xml', 'application/xml; charset=utf-8'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['application/json', 'application/json'],
    ['image/png', 'image/png'],
  ])('%s → %s', (given, value) => {
    expect(typeOf(given)).toMatchObject({ headers: { 'content-type': { value } } });
  });

  test('a font has its type, which the upload cannot guess', () => {
    const headers = { 'content-type': { value: 'font/woff2' } };
    expect(typeOf('binary/octet-stream', '/assets/sans-1a2b.woff2')).toMatchObject({ headers });
  });
});

test('the files of a site are its pages, the others, and none of the assets', () => {
  const site = mkdtempSync(path.join(tmpdir(), 'selfsame-site-'));
  for (const file of [
    'index.html',
    '404.html',
    'articles/1.html',
    'articles/1.md',
    'articles/not-found.html',
    'assets/app-1a2b.js',
    'robots.txt',
  ]) {
    mkdirSync(path.dirname(path.join(site, file)), { recursive: true });
    writeFileSync(path.join(site, file), '');
  }
  expect(siteFilesOf(site)).toEqual({
    pages: ['/articles/1'],
    notFound: ['/articles'],
    others: ['/articles/1.md', '/robots.txt'],
  });
});

test('both functions stay below CloudFront’s limit of 10 KB, with a hundred articles', () => {
  const pages = Array.from({ length: 100 }, (_, n) => `/articles/some-article-of-ours-${n}`);
  const many = pageRouting({ pages, notFound: ['/articles'], others: pages.map((page) => `${page}.md`) });
  expect(many.request.length).toBeLessThan(10_000);
  expect(many.response.length).toBeLessThan(10_000);
});
