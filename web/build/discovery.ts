import { escapeHtml } from '../../schemas/escape-html.ts';
import type { Article, ArticleSummary } from '../../schemas/content/front-matter.ts';
import { product } from '../../schemas/product/product.ts';
import { addressOf } from './page-head.ts';
import type { DescribedPage } from '../src/pages/page.ts';

export const RSS_PATH = '/articles/rss.xml';

type Listed = Pick<DescribedPage, 'path' | 'title' | 'description' | 'listed'>;

/** `articles` give their pages the date of the last change. */
export function sitemap(pages: readonly Listed[], articles: readonly ArticleSummary[]): string {
  const changed = new Map(articles.map(({ id, date }) => [`/articles/${id}`, date]));
  const urls = pages
    .filter(({ listed }) => listed)
    .map(({ path }) => {
      const date = changed.get(path);
      return `  <url><loc>${escapeHtml(addressOf(path))}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</url>`;
    });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** Forbids no page: a page that must not be listed says so itself, so search engines have to read it. */
export const robots = (): string =>
  ['User-agent: *', 'Disallow: /api/', '', `Sitemap: ${addressOf('/sitemap.xml')}`, ''].join('\n');

export const SECURITY_PATH = '/.well-known/security.txt';

/**
 * The contact for vulnerability reports: RFC 9116. `built`: the time of the build. The file expires on the
 * first day of the eleventh month after that, since the standard recommends less than a year. A site that
 * isn't deployed for that long may have changed hands.
 */
export function securityText(built: Date): string {
  const expires = new Date(Date.UTC(built.getUTCFullYear(), built.getUTCMonth() + 11, 1));
  return [
    `Contact: mailto:${product.supportEmail}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${addressOf(SECURITY_PATH)}`,
    '',
  ].join('\n');
}

export const GPC_PATH = '/.well-known/gpc.json';

/** Says that the site honors Global Privacy Control: https://w3c.github.io/gpc/ */
export const gpcText = (): string => `${JSON.stringify({ gpc: true, lastUpdate: '2026-11-28' })}\n`;

interface Feed {
  path: string;
  /** Path of the page that has the same content. */
  page: string;
  title: string;
  description: string;
  /** `date`: as `2026-01-20`. `elements`: their texts or HTML by name. */
  items: readonly { path: string; date: string; elements: Readonly<Record<string, string>> }[];
}

/** RSS 2.0, whose items can have their whole texts: https://www.rssboard.org/rss-profile#namespace-elements-content-encoded */
export function feed({ path, page, title, description, items }: Feed): string {
  const lines = items.map((item) => {
    const address = addressOf(item.path);
    const elements = Object.entries(item.elements).map(
      ([name, text]) => `      <${name}>${escapeHtml(text)}</${name}>`,
    );
    return `    <item>
${elements.join('\n')}
      <link>${address}</link>
      <guid>${address}</guid>
      <pubDate>${new Date(`${item.date}T00:00:00Z`).toUTCString()}</pubDate>
    </item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">
  <channel>
    <title>${title}</title>
    <link>${addressOf(page)}</link>
    <description>${description}</description>
    <language>en</language>
    <atom:link href="${addressOf(path)}" rel="self" type="application/rss+xml" />
${lines.join('\n')}
  </channel>
</rss>
`;
}

export const rss = (articles: readonly Article[]): string =>
  feed({
    path: RSS_PATH,
    page: '/articles',
    title: `${product.name} articles`,
    description: product.tagline,
    items: articles
      .filter(({ listed }) => listed)
      .map(({ id, title, excerpt, category, date, content }) => ({
        path: `/articles/${id}`,
        date,
        elements: { title, description: excerpt, 'content:encoded': withFullAddresses(content), category },
      })),
  });

/** HTML with absolute links to the site's pages, for readers elsewhere. */
export const withFullAddresses = (html: string): string =>
  html.replaceAll(
    /\b(href|src)="(\/(?!\/)[^"]*)"/g,
    (_, name: string, path: string) => `${name}="${addressOf(path)}"`,
  );

/** A description of the site for language models: https://llmstxt.org */
export function llmsText(pages: readonly Listed[], articles: readonly ArticleSummary[]): string {
  const home = pages.find(({ path }) => path === '/');
  const isArticle = (path: string) => articles.some(({ id }) => path === `/articles/${id}`);
  return [
    `# ${product.name}`,
    '',
    `> ${product.tagline}. ${home?.description ?? ''}`,
    '',
    '## Pages',
    '',
    ...pages
      .filter(({ path, listed }) => listed && !isArticle(path))
      .map(({ path, title, description }) => entry(shortTitle(title), path, description)),
    '',
    '## Articles',
    '',
    ...articles
      .filter(({ listed }) => listed)
      .map(({ id, title, excerpt }) => entry(title, `/articles/${id}`, excerpt)),
    '',
  ].join('\n');
}

const entry = (title: string, path: string, text: string): string =>
  `- [${title}](${addressOf(markdownPath(path))}): ${text}`;

/** A page's title without the product's name. */
const shortTitle = (title: string): string => title.replace(` · ${product.name}`, '');

/** The address of a listed page's Markdown. */
export const markdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);
