import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build as viteBuild, createLogger, mergeConfig } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { mainOffer } from '../../../schemas/product/offers.ts';
import { product } from '../../../schemas/product/product.ts';
import { LatestRelease } from '../../../schemas/content/release.ts';
import { openApiDocument } from '../../../web/build/openapi.ts';
import { drawnFacts } from '../../../web/social/drawn-facts.ts';
import { siteConfig } from '../../../web/vite.config.ts';
import { contentWith } from '../../fixtures/browser/site-with-content.ts';
import { readyOwner } from '../../fixtures/aws/ready-owner.ts';
import { inputsOfSite, kept } from '../../fixtures/repository/kept.ts';
import { leftOutIn, textOfPage } from '../../fixtures/repository/left-out-words.ts';

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

const RELEASE = `---
version: 1.4.2
date: '2026-01-20'
url: https://d.test/1.4.2.dmg
sha256: ${'ab'.repeat(32)}
size: 42100000
minimumSystemVersion: '14'
---

- Write Mode keeps *line breaks*.
`;

const ADDITIONS = {
  'articles/77-added.md': ADDED,
  'changelog/1.4.2.md': RELEASE,
  'owner.json': JSON.stringify(readyOwner),
};
let outDir: string;
/** The build's warnings. */
let warnings: string[];
const read = (file: string) => readFileSync(path.join(outDir, file), 'utf8');

beforeAll(async () => {
  const inputs = () => JSON.stringify([inputsOfSite(), ADDITIONS]);
  ({ outDir, warnings } = await kept('site-with-additions', inputs, build));
}, 120_000);

async function build(into: string): Promise<{ outDir: string; warnings: string[] }> {
  // Selects React's production build.
  vi.stubEnv('NODE_ENV', 'production');
  const folder = contentWith(ADDITIONS);
  const options = { outDir: into, emptyOutDir: true };
  const found: string[] = [];
  const customLogger = { ...createLogger('error'), warn: (text: string) => void found.push(text) };
  try {
    await viteBuild(mergeConfig(siteConfig(folder), { configFile: false, customLogger, build: options }));
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
  return { outDir: into, warnings: found };
}

test('no page is larger than its budget in web/build/bundle-budget.ts', () => {
  expect(warnings).toEqual([]);
});

test('no page has a word that web/README.md leaves out', () => {
  const pages = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const found = pages.map((file) => ({ file, words: leftOutIn(textOfPage(read(file))) }));
  expect(found.filter(({ words }) => words.length > 0)).toEqual([]);
  expect(pages.length).toBeGreaterThan(20);
});

test('an added article file becomes a page, is in the sitemap, the feed and llms.txt, and exists as Markdown, without other edits', () => {
  const html = read('articles/77.html');
  expect(html).toContain(`<title>Added &amp; built · ${product.name}</title>`);
  expect(html).toContain('A text that was <em>added</em>.');
  expect(html).toContain(`<link rel="canonical" href="${product.siteOrigin}/articles/77">`);
  expect(html).toMatch(/<script type="application\/ld\+json">[^<]*"headline":"Added & built"/);
  expect(read('articles.html')).toContain('Added &amp; built');
  for (const file of ['sitemap.xml', 'articles/rss.xml', 'llms.txt'])
    expect(read(file)).toContain('/articles/77');
  expect(read('articles/77.md')).toMatch(/\n# Added & built\n[^]*\nA text that was \*added\*\.\n/);
});

test('an added release is a page, a feed, and a file for the app’s updater', () => {
  expect(read('changelog.html')).toContain('Write Mode keeps <em>line breaks</em>.');
  expect(read('changelog/rss.xml')).toContain('&lt;em&gt;line breaks&lt;/em&gt;');
  for (const file of ['sitemap.xml', 'llms.txt']) expect(read(file)).toContain('/changelog');
  expect(LatestRelease.parse(JSON.parse(read('releases/latest.json')))).toMatchObject({ version: '1.4.2' });
});

test('an added release is what buttons download, with its version, and what the footer names', () => {
  const html = read('terms.html');
  expect(html).toContain('href="https://d.test/1.4.2.dmg"');
  expect(html).toMatch(/<a href="\/changelog"[^>]*>What’s new in (<!-- -->)?1\.4\.2<\/a>/);
  for (const page of ['index', 'pricing', 'demo', 'why-selfsame']) {
    expect(read(`${page}.html`)).toContain(
      'Version 1.4.2 · 42 MB · Needs macOS 14 or later and an internet connection',
    );
  }
});

test('every listed page is HTML with text and links, and a title, description and address of its own, and the picture for previews of links', () => {
  const listed = [...read('sitemap.xml').matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);
  expect(listed).toContain(`${product.siteOrigin}/pricing`);
  const seen = listed.map((address) => {
    const { pathname } = new URL(address);
    const html = read(`${pathname === '/' ? '/index' : pathname}.html`);
    const [, main = ''] = /<main[^>]*>([^]*)<\/main>/.exec(html) ?? [];
    expect(main).toMatch(/<h1[^>]*>[^]+<\/h1>/);
    expect(main).not.toMatch(/>Loading</);
    expect(html).toMatch(/<footer[^]*<a [^>]*href=/);
    expect(html).not.toContain('noindex');
    // Without drawings, controls and tags.
    expect(read(`${pathname === '/' ? '/index' : pathname}.md`)).toMatch(
      /^# \S(?:(?!<\/?[a-z])[^])*\n$|^\S[^]*\n# /,
    );
    const find = (pattern: RegExp) => pattern.exec(html)?.[1] ?? '';
    expect(find(/property="og:image" content="([^"]*)"/)).toBe(`${product.siteOrigin}/social.png`);
    expect(find(/<link rel="canonical" href="([^"]*)"/)).toBe(address);
    return [find(/<title>([^<]*)</), find(/name="description" content="([^"]*)"/)];
  });
  for (const at of [0, 1]) expect(new Set(seen.map((page) => page[at])).size).toBe(listed.length);
  for (const page of ['login', 'dashboard', 'checkout', '404', 'articles/not-found']) {
    expect(read(`${page}.html`)).toContain('<meta name="robots" content="noindex">');
    expect(read(`${page}.html`)).not.toContain('canonical');
  }
});

// A stranger reads an answer on the home page, or one press from it.
test.each([
  ['What does it do?', 'index', 'press Command+G, and'],
  ['On which machines?', 'index', 'Needs macOS 14 or later'],
  ['What does it cost?', 'index', `Unlimited for ${mainOffer.price} ${mainOffer.period}`],
  ['Without a card?', 'index', 'no card needed'],
  ['Who gets my text?', 'why-selfsame', 'They are Example AI.'],
  ['How long is it kept?', 'why-selfsame', 'AI providers keep the text for at most 30 days.'],
  ['Who makes it?', 'why-selfsame', 'made and sold by Example, Inc.'],
  ['How do I cancel?', 'pricing', 'You can cancel at any time'],
  ['How do I delete my account?', 'help', 'under Delete your account'],
  ['Why not what my Mac has?', 'why-selfsame', '| Price |'],
])('%s is answered on %s', (_, page, answer) => {
  expect(read('index.html')).toContain(page === 'index' ? 'href="/"' : `href="/${page}`);
  expect(read(`${page}.md`)).toContain(answer);
  expect(read(`${page}.md`)).not.toContain('haven’t published');
});

test('the values page names its three values with their promises', () => {
  const html = read('why-selfsame.html');
  for (const value of ['Transparency', 'Care', 'Human First']) expect(html).toContain(`>${value}</h2>`);
  expect(html).toContain('Personal data is not sold.');
  expect(html).toMatch(/<a [^>]*href="\/privacy"[^>]*>Read the Privacy Policy/);
});

test('every icon that a page or the manifest names is there, in its size, and so is the picture for links', () => {
  const { icons } = JSON.parse(read('manifest.webmanifest')) as { icons: { src: string; sizes: string }[] };
  const named = [...read('index.html').matchAll(/<link rel="(?:apple-touch-)?icon" href="([^"]*)"/g)];
  expect(named.map(([, href]) => href)).toEqual(['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png']);
  const sizeOf = (file: string) => {
    const picture = readFileSync(path.join(outDir, file));
    return file.endsWith('.svg') ? 'any' : `${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`;
  };
  expect(readdirSync(outDir)).toContain('favicon.ico');
  expect([sizeOf('apple-touch-icon.png'), sizeOf('social.png')]).toEqual(['180x180', '1200x630']);
  // Otherwise `npm run social` draws it again.
  expect(readFileSync(path.join(outDir, 'social.png'), 'latin1')).toContain(drawnFacts);
  expect(icons.map(({ src }) => sizeOf(src))).toEqual(icons.map(({ sizes }) => sizes));
});

test('print styles are their own file, which no page waits for', () => {
  const [, href = ''] = /<link media="print" rel="stylesheet" href="([^"]*)"/.exec(read('terms.html')) ?? [];
  expect(read(href)).toContain('@page');
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

test.each([
  ['login', 'username current-password'],
  ['signup', 'name username new-password new-password'],
  ['forgot-password', 'username'],
  ['reset-password', 'username new-password new-password'],
  ['email-confirmation', 'one-time-code'],
  ['waitlist', 'name email'],
])(
  'the form of /%s is in its HTML, with its styles and what password managers look for: %s',
  (page, fields) => {
    const html = read(`${page}.html`);
    const names = [...html.matchAll(/ autocomplete="([^"]*)"/gi)].map(([, name]) => name);
    expect(names.join(' ')).toBe(fields);
    expect(html).toMatch(/<h1[^>]*>[^<]+<\/h1>[^]*<input [^]*<button [^>]*type="submit"/);
    expect(html).toContain('<noscript>This page needs JavaScript to send the form.');
    // Its script loads late.
    expect(html).not.toMatch(/data-now|<link rel="stylesheet"/);
    // A submission without a script must not put a password into the address.
    expect(html.match(/<form[^>]*>/g)).toEqual([expect.stringContaining('method="post"')]);
  },
);

test('every link of a page leads to a page of the site, and to a part of it that exists', () => {
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  const idsIn = (file: string) => new Set([...read(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const dead = new Set<string>();
  for (const file of files.filter((each) => each.endsWith('.html'))) {
    for (const [, to = ''] of read(file).matchAll(/<a [^>]*href="(\/[^"]*|#[^"]*)"/g)) {
      const { pathname, hash } = new URL(to, `https://site.test/${file.replace(/(?:index)?\.html$/, '')}`);
      const target = pathname === '/' ? 'index.html' : `${pathname.slice(1)}.html`;
      const exists = files.includes(target) || files.includes(pathname.slice(1));
      const isThere = hash === '' || (exists && idsIn(target).has(decodeURIComponent(hash.slice(1))));
      if (!exists || !isThere) dead.add(`${file}: ${to}`);
    }
  }
  expect([...dead]).toEqual([]);
});
