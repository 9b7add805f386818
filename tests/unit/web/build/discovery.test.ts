import { describe, expect, test } from 'vitest';
import type { Article } from '../../../../schemas/content/front-matter.ts';
import { product } from '../../../../schemas/product/product.ts';
import { llmsText, robots, rss, securityText, sitemap } from '../../../../web/build/discovery.ts';
import type { DescribedPage } from '../../../../web/src/pages/page.ts';

const page = (path: DescribedPage['path'], listed = true): DescribedPage => ({
  path,
  module: 'a/a-page.tsx',
  title: `Title of ${path} · ${product.name}`,
  description: `What ${path} is about.`,
  access: 'public',
  listed,
});
const article = (id: number, more: Partial<Article> = {}): Article => ({
  id,
  content: '<p>Text.</p>',
  title: 'Ditto & <others>',
  excerpt: 'A "short" one.',
  author: 'The team',
  authorBio: 'They write.',
  readTime: '4 min read',
  date: '2025-07-01',
  category: 'Company',
  image: 'ditto',
  listed: true,
  ...more,
});

const pages = [page('/'), page('/pricing'), page('/login', false), page('/articles/4')];
const at = (path: string) => `${product.siteOrigin}${path}`;

describe('the sitemap', () => {
  test('has the full addresses of listed pages alone, and the dates of articles', () => {
    const addresses = [...sitemap(pages, []).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    expect(addresses).toEqual([at('/'), at('/pricing'), at('/articles/4')]);
    const text = sitemap(pages, [article(4)]);
    expect(text).toContain(`<loc>${at('/articles/4')}</loc><lastmod>2025-07-01</lastmod>`);
    expect(text.match(/lastmod>/g)).toHaveLength(2);
  });
});

test('robots.txt forbids the API alone', () => {
  expect(robots()).toMatch(/^Disallow: \/api\/$/m);
  expect(robots().match(/Disallow/g)).toHaveLength(1);
  expect(robots()).toContain(`Sitemap: ${at('/sitemap.xml')}`);
});

test('security.txt names our address, and is good for ten months and less than a year', () => {
  for (const built of ['2026-01-01T00:00:00Z', '2026-02-28T12:00:00Z', '2028-12-31T23:59:59Z']) {
    const text = securityText(new Date(built));
    expect(text).toContain(`Contact: mailto:${product.supportEmail}\n`);
    expect(text).toContain(`Canonical: ${at('/.well-known/security.txt')}\n`);
    const [, expires = ''] = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z)$/m.exec(text) ?? [];
    const days = (Date.parse(expires) - Date.parse(built)) / 86_400_000;
    expect(days).toBeGreaterThan(300);
    expect(days).toBeLessThan(365);
  }
});

describe('the feed', () => {
  test('holds the listed articles in their order, with escaped titles, and dates in the format of RSS', () => {
    const feed = rss([article(4), article(1, { date: '2025-06-30' }), article(6, { listed: false })]);
    expect([...feed.matchAll(/<guid>(.*?)<\/guid>/g)].map(([, guid]) => guid)).toEqual([
      at('/articles/4'),
      at('/articles/1'),
    ]);
    expect(feed).toContain('<title>Ditto &amp; &lt;others&gt;</title>');
    expect(feed).toContain('<pubDate>Tue, 01 Jul 2025 00:00:00 GMT</pubDate>');
  });

  test('has the whole text of an article, with full addresses', () => {
    const content = `<p>See <a href="/help">help</a> &amp; <a href="//cdn.example">this</a>.</p>`;
    expect(rss([article(4, { content })])).toContain(
      `<content:encoded>&lt;p&gt;See &lt;a href=&quot;${at('/help')}&quot;&gt;help&lt;/a&gt; &amp;amp; &lt;a href=&quot;//cdn.example&quot;`,
    );
  });
});

test('llms.txt lists the Markdown of pages and articles, each once', () => {
  const text = llmsText(pages, [article(4), article(6, { listed: false })]);
  expect(text).toMatch(new RegExp(`^# ${product.name}\n\n> `));
  expect(text).toContain(`- [Title of /pricing](${at('/pricing.md')}): What /pricing is about.`);
  expect(text).toContain(`(${at('/articles/4.md')})`);
  expect(text).toContain(`(${at('/index.md')})`);
  expect(text).not.toMatch(/login|articles\/6|articles\/4\)/);
});
