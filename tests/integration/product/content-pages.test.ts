import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { product } from '../../../schemas/product/product.ts';
import { content } from '../../../web/build/content-plugin.ts';
import { contentWith } from '../../fixtures/browser/site-with-content.ts';

/** The part of the site that the build uses. */
interface RenderedSite {
  pages: readonly { path: string; title: string; listed: boolean }[];
  render(path: string): Promise<string>;
}

const article = (title: string) => `---
id: 77
title: ${title}
excerpt: What it says.
author: The ${product.name} team
authorBio: We write.
readTime: 3 min read
date: '2025-08-01'
category: Community
image: shelf
listed: true
---

A text that was added.
`;

/** A busy machine takes seconds to render the site again. */
const SOON = { timeout: 30_000 };

describe('an article file that is added', () => {
  let vite: ViteDevServer;
  const folder = contentWith({});
  const file = path.join(folder, 'articles/77-added.md');
  const site = async () =>
    ((await vite.ssrLoadModule('/src/app/entry-server.tsx')) as { site: RenderedSite }).site;
  const pageAt77 = async () => (await site()).pages.find((page) => page.path === '/articles/77');

  beforeAll(async () => {
    vite = await createServer({
      configFile: false,
      logLevel: 'silent',
      root: path.resolve(import.meta.dirname, '../../../web'),
      cacheDir: path.join(folder, '.vite'),
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true, include: [] },
      plugins: [react(), content(folder)],
    });
  });
  afterAll(async () => {
    await vite.close();
    rmSync(folder, { recursive: true });
  });

  test('becomes a page in development, with its title, its text and its entry in the list', async () => {
    expect(await pageAt77()).toBeUndefined();

    writeFileSync(file, article('Added'));
    await expect.poll(pageAt77, SOON).toMatchObject({ title: `Added · ${product.name}`, listed: true });
    const built = await site();
    expect(await built.render('/articles/77')).toContain('A text that was added.');
    expect(await built.render('/articles')).toContain('href="/articles/77"');

    writeFileSync(file, article('Changed'));
    await expect.poll(pageAt77, SOON).toMatchObject({ title: `Changed · ${product.name}` });

    rmSync(file);
    await expect.poll(pageAt77, SOON).toBeUndefined();
  });
});
