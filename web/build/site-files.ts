import path from 'node:path';
import type { ViteDevServer } from 'vite';
import { product } from '../../schemas/product/product.ts';
import { readArticles, readChangelog, readTemplates } from './content.ts';
import {
  GPC_PATH,
  gpcText,
  llmsText,
  robots,
  rss,
  RSS_PATH,
  SECURITY_PATH,
  securityText,
  sitemap,
} from './discovery.ts';
import { openApiDocument } from './openapi.ts';
import { releaseFiles } from './releases.ts';
import type { DescribedPage } from '../src/pages/page.ts';

// Color of the light scheme in src/styles/tokens.css.
const PAPER = '#fbfcfb';
const ICONS = [192, 512];

/** https://www.w3.org/TR/appmanifest/. The site stays in a browser window: it is not an app. */
const manifest = {
  name: product.name,
  description: product.tagline,
  start_url: '/',
  display: 'browser',
  background_color: PAPER,
  theme_color: PAPER,
  icons: [
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
    ...ICONS.map((size) => ({ src: `/icon-${size}.png`, type: 'image/png', sizes: `${size}x${size}` })),
  ],
};

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The files that a build makes beside its pages: texts by path. `folder`: the folder of the content. */
export function siteFiles(pages: readonly DescribedPage[], folder?: string): Record<string, string> {
  const articles = readArticles(folder);
  return {
    '/sitemap.xml': sitemap(pages, articles),
    '/robots.txt': robots(),
    '/llms.txt': llmsText(pages, articles),
    '/manifest.webmanifest': json(manifest),
    [SECURITY_PATH]: securityText(new Date()),
    [GPC_PATH]: gpcText(),
    [RSS_PATH]: rss(articles),
    '/openapi.json': json(openApiDocument()),
    ...Object.fromEntries(
      readTemplates(folder).map(({ id, rawData }) => [`/templates/${id}.json`, json(rawData)]),
    ),
    ...releaseFiles(readChangelog(folder)),
  };
}

const types: Record<string, string> = {
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'application/xml',
};

const pathOf = (url = '/'): string => url.replace(/[?#].*/s, '');

/**
 * Serves these files in development, with their current content. Returns Vite's hook, which answers 404 for a
 * missing file, where Vite would serve the home page.
 */
export function serveSiteFiles(
  server: ViteDevServer,
  pages: () => Promise<readonly DescribedPage[]>,
  folder: string,
): () => void {
  server.middlewares.use(({ url }, response, next) => {
    const type = types[path.extname(pathOf(url))];
    if (type === undefined) return next();
    // Loaded by Vite, so that a change of the schemas takes effect.
    void Promise.all([server.ssrLoadModule('/build/site-files.ts'), pages()]).then(([module, all]) => {
      const files = (module as { siteFiles: typeof siteFiles }).siteFiles(all, folder);
      const text = Object.hasOwn(files, pathOf(url)) ? files[pathOf(url)] : undefined;
      if (text === undefined) return next();
      response.setHeader('content-type', `${type}; charset=utf-8`);
      return response.end(text);
    }, next);
  });
  return () =>
    void server.middlewares.use(({ originalUrl }, response, next) => {
      const extension = path.extname(pathOf(originalUrl));
      if (extension === '' || extension === '.html') return next();
      response.statusCode = 404;
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      return response.end('There is no such file.');
    });
}
