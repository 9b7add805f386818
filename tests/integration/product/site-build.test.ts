import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, mergeConfig } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { product } from '../../../schemas/product.ts';
import { openApiDocument } from '../../../web/build/openapi.ts';
import { siteConfig } from '../../../web/vite.config.ts';
import { contentWith } from '../../fixtures/site-with-content.ts';

const ADDED = `---
id: 77
title: Added & built
excerpt: What it says.
author: Ada Lovelace
authorBio: She writes.
readTime: 3 min read
date: '2025-08-01'
category: Community
image: shelf
listed: true
---

A text that was *added*.
`;

const folder = contentWith({ 'articles/77-added.md': ADDED });
const outDir = mkdtempSync(path.join(tmpdir(), 'selfsame-site-'));
const read = (file: string) => readFileSync(path.join(outDir, file), 'utf8');

beforeAll(async () => {
  // Selects React's production build.
  vi.stubEnv('NODE_ENV', 'production');
  const options = { outDir, emptyOutDir: true };
  await build(mergeConfig(siteConfig(folder), { configFile: false, logLevel: 'error', build: options }));
}, 120_000);
afterAll(() => {
  vi.unstubAllEnvs();
  for (const created of [folder, outDir]) rmSync(created, { recursive: true });
});

test('an added article file becomes a page without other edits', () => {
  const html = read('articles/77.html');
  expect(html).toContain('<title>Added &amp; built · Selfsame</title>');
  expect(html).toContain('A text that was <em>added</em>.');
  expect(html).toContain(`<link rel="canonical" href="${product.siteOrigin}/articles/77" />`);
  expect(html).toMatch(/<script type="application\/ld\+json">[^<]*"headline":"Added & built"/);
  expect(read('articles.html')).toContain('Added &amp; built');
});

test('an added article is in the sitemap, the feed and llms.txt, and exists as Markdown', () => {
  for (const file of ['sitemap.xml', 'articles/rss.xml', 'llms.txt'])
    expect(read(file)).toContain('/articles/77');
  expect(read('articles/77.md')).toMatch(/^# Added & built\n[^]*A text that was \*added\*\.\n$/);
});

test('an added article gets an image for link previews', () => {
  const [, image = ''] =
    /property="og:image" content="[^"]*\/(assets\/[^"]*)"/.exec(read('articles/77.html')) ?? [];
  const png = readFileSync(path.join(outDir, image));
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    'PNG',
    1200,
    630,
  ]);
});

test('the API’s document is a file of the site', () => {
  expect(JSON.parse(read('openapi.json'))).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

test('a page inlines its styles and no script or stylesheet blocks it', () => {
  const head = read('index.html').split('</head>')[0] ?? '';
  expect(head).toMatch(/<style>.+<\/style>/);
  // Chromium fetches a disabled style sheet too, if it stands in the HTML.
  expect(head).not.toMatch(/<script[^>]* src=|<link rel="(modulepreload|stylesheet)"/);
});

test('every page begins with the same inline script, which doesn’t depend on the build', () => {
  const pages = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const scripts = pages.map(
    (file) => /<script data-application=[^>]*>([^]*?)<\/script>/.exec(read(file))?.[1],
  );
  expect(new Set(scripts).size).toBe(1);
  expect(scripts[0]).not.toContain('/assets/');
});

test('a shell has a note that it needs JavaScript, and loads its script at once', () => {
  const html = read('dashboard.html');
  expect(html).toContain('<noscript>This page needs JavaScript');
  expect(html).toMatch(/<script data-application="[^"]+" data-parts="[^"]+" data-now /);
  // A visitor is redirected, and needs no code of this page.
  expect(html).toMatch(/ data-visitor-parts="[^"]*\/login-page-(?![^"]*dashboard-page-)/);
  expect(read('pricing.html')).not.toMatch(/<noscript>|data-now/);
});

test.each(['login', 'signup', 'forgot-password', 'reset-password', 'email-confirmation'])(
  'the form of /%s is in its HTML, with its styles, and loads its script late',
  (page) => {
    const html = read(`${page}.html`);
    expect(html).toMatch(/<h1[^>]*>[^<]+<\/h1>[^]*<input [^]*<button [^>]*type="submit"/);
    expect(html).toContain('<noscript>This page needs JavaScript to send the form.');
    expect(html).not.toMatch(/data-now|<link rel="stylesheet"/);
  },
);
