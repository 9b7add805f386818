import { expect, test } from 'vitest';
import { product } from '../../../../schemas/product/product.ts';
import type { Release } from '../../../../schemas/content/release.ts';
import { downloadOf, latestRelease, releaseFiles } from '../../../../web/build/releases.ts';

const release = (version: string, more: Partial<Release> = {}): Release => ({
  version,
  date: '2026-01-20',
  content: '<p>Read the <a href="/help">help</a>.</p>',
  ...more,
});
const ofItsOwn = {
  url: 'https://downloads.selfsame.test/mac/Selfsame-1.4.2.dmg',
  sha256: 'ab'.repeat(32),
  size: 8_400_000,
  minimumSystemVersion: '14.2',
};

test('without a release there is no file, no version, and the address that is always the latest', () => {
  expect(releaseFiles([])).toEqual({});
  expect(downloadOf([])).toEqual({
    downloadUrl: product.downloadUrl,
    requirements: 'Needs macOS and an internet connection',
    newestVersion: undefined,
  });
});

test('the first release is the latest, with what is known of it', () => {
  const first = release('1.4.2', ofItsOwn);
  expect(latestRelease([first, release('1.4.1')])).toEqual({
    version: '1.4.2',
    date: '2026-01-20',
    ...ofItsOwn,
  });
  expect(downloadOf([first])).toEqual({
    downloadUrl: ofItsOwn.url,
    requirements: 'Version 1.4.2 · 8.4 MB · Needs macOS 14.2 or later and an internet connection',
    newestVersion: '1.4.2',
  });
});

test('a release of which nothing else is known has the address that is always the latest', () => {
  expect(latestRelease([release('1.0')])).toEqual({
    version: '1.0',
    date: '2026-01-20',
    url: product.downloadUrl,
  });
});

test('the feed has each release once, with its whole text and addresses that lead to the site', () => {
  const feed = releaseFiles([release('1.1'), release('1.0')])['/changelog/rss.xml'] ?? '';
  expect([...feed.matchAll(/<guid>(.*?)<\/guid>/g)].map(([, guid]) => guid)).toEqual([
    `${product.siteOrigin}/changelog#1.1`,
    `${product.siteOrigin}/changelog#1.0`,
  ]);
  expect(feed).toContain('<pubDate>Tue, 20 Jan 2026 00:00:00 GMT</pubDate>');
  expect(feed).toContain(
    `&lt;p&gt;Read the &lt;a href=&quot;${product.siteOrigin}/help&quot;&gt;help&lt;/a&gt;.&lt;/p&gt;`,
  );
});
