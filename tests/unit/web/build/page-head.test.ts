import { expect, test } from 'vitest';
import { mainOffer, plans } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import type { LatestRelease } from '../../../../schemas/content/release.ts';
import { pageHead } from '../../../../web/build/page-head.ts';
import { structuredDataOf } from '../../../../web/build/structured-data.ts';
import type { DescribedPage } from '../../../../web/src/pages/page.ts';
import { PRICE_WITH_CENTS } from '../../../fixtures/fakes/main-offer.ts';

const page: DescribedPage = {
  path: '/pricing',
  module: 'pricing/pricing-page.tsx',
  title: 'Pricing',
  description: 'What it "costs" & why.',
  access: 'public',
  listed: true,
};

test('a listed page has its title, description, canonical address and picture', () => {
  const head = pageHead({ page, path: '/pricing' });
  expect(head).toContain('<title>Pricing</title>');
  expect(head).toContain('<meta name="description" content="What it &quot;costs&quot; &amp; why." />');
  expect(head).toContain(`<link rel="canonical" href="${product.siteOrigin}/pricing" />`);
  expect(head).toContain(`<meta property="og:image" content="${product.siteOrigin}/social.png" />`);
  expect(head).not.toContain('noindex');
});

test('an unlisted page has no canonical address', () => {
  const head = pageHead({ page: { ...page, listed: false }, path: '/dashboard' });
  expect(head).toContain('<meta name="robots" content="noindex" />');
  expect(head).not.toMatch(/canonical|og:/);
});

test('structured data can’t end its own script', () => {
  const head = pageHead({ page, path: '/pricing', structuredData: [{ name: '</script><script>alert(1)' }] });
  expect(head.match(/<\/script>/g)).toHaveLength(1);
  const [, json = ''] = /ld\+json">(.*)<\/script>/.exec(head) ?? [];
  expect(JSON.parse(json)).toEqual({
    '@context': 'https://schema.org',
    name: '</script><script>alert(1)',
  });
});

test('structured data has the prices of the plans', () => {
  expect(structuredDataOf('/pricing', { articles: [] })[1]).toMatchObject({
    '@type': 'SoftwareApplication',
    offers: [
      { name: plans.free.name, price: '0.00', priceCurrency: 'USD' },
      { name: mainOffer.name, price: PRICE_WITH_CENTS.slice(1), priceCurrency: 'USD' },
    ],
  });
});

test('structured data describes a release as far as it is known', () => {
  const application = (release?: LatestRelease) => structuredDataOf('/', { articles: [], release })[2];
  expect(application()).toMatchObject({ operatingSystem: 'macOS', downloadUrl: product.downloadUrl });
  expect(application()).not.toHaveProperty('softwareVersion');
  const known = { version: '1.4.2', date: '2026-01-20', url: 'https://a.test/A.dmg' };
  expect(application(known)).toMatchObject({ softwareVersion: '1.4.2', downloadUrl: known.url });
  expect(application(known)).not.toHaveProperty('fileSize');
  expect(application({ ...known, size: 42_100_000, minimumSystemVersion: '14' })).toMatchObject({
    fileSize: '42 MB',
    operatingSystem: 'macOS 14 or later',
  });
});

test('the changelog links its feed', () => {
  const head = pageHead({ page, path: '/changelog' });
  expect(head).toMatch(/<link rel="alternate" type="application\/rss\+xml"[^>]* href="\/changelog\/rss.xml"/);
});

test('an article says who wrote it and when', () => {
  const article = {
    id: 4,
    title: 'A title',
    excerpt: 'Short.',
    author: `The ${product.name} team`,
    authorBio: 'They write.',
    readTime: '4 min read',
    date: '2025-07-01',
    category: 'Company',
    image: 'ditto',
    listed: true,
  } as const;
  const entries = (author: string) => structuredDataOf('/articles/4', { articles: [{ ...article, author }] });
  expect(entries('Ada Lovelace')).toMatchObject([
    { '@type': 'Organization' },
    {
      '@type': 'Article',
      headline: 'A title',
      datePublished: '2025-07-01',
      author: { '@type': 'Person', name: 'Ada Lovelace' },
    },
  ]);
  expect(entries(article.author)).not.toMatchObject([{}, { author: { '@type': 'Person' } }]);
});
