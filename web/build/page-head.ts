import { escapeHtml } from '../../schemas/escape-html.ts';
import { product } from '../../schemas/product/product.ts';
import type { DescribedPage } from '../src/pages/page.ts';

export const addressOf = (path: string): string => `${product.siteOrigin}${path}`;

interface PageHead {
  page: Omit<DescribedPage, 'path'>;
  /** Address of the page. Undefined for the 404 page, which has none. */
  path: string | undefined;
  /** Objects in the vocabulary of schema.org. */
  structuredData?: readonly object[];
}

/** The part of a page's head that browsers, search engines and previews of links read. */
export function pageHead({ page, path, structuredData = [] }: PageHead): string {
  const lines = [`<title>${escapeHtml(page.title)}</title>`, named('description', page.description)];
  if (!page.listed) lines.push(named('robots', 'noindex'));
  if (page.listed && path !== undefined) {
    lines.push(
      `<link rel="canonical" href="${addressOf(path)}" />`,
      property('og:site_name', product.name),
      property('og:type', path.startsWith('/articles/') ? 'article' : 'website'),
      property('og:title', page.title),
      property('og:description', page.description),
      property('og:url', addressOf(path)),
      property('og:image', addressOf('/social.png')),
      property('og:image:alt', `${product.name}: ${product.tagline}`),
      named('twitter:card', 'summary_large_image'),
    );
  }
  for (const feed of ['articles', 'changelog'].filter((folder) => path?.startsWith(`/${folder}`))) {
    lines.push(
      `<link rel="alternate" type="application/rss+xml" title="${product.name} ${feed}" href="/${feed}/rss.xml" />`,
    );
  }
  for (const data of structuredData) {
    // A closing tag inside a string would end the script early.
    const json = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll(
      '<',
      String.raw`\u003c`,
    );
    lines.push(`<script type="application/ld+json">${json}</script>`);
  }
  return lines.join('\n    ');
}

const named = (name: string, content: string): string =>
  `<meta name="${name}" content="${escapeHtml(content)}" />`;
const property = (name: string, content: string): string =>
  `<meta property="${name}" content="${escapeHtml(content)}" />`;
