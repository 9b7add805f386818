import { readArticles } from './content.ts';
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
import { webManifest } from './icons.ts';
import type { DescribedPage } from '../src/pages/page.ts';

/** The site's text files, by their names in the build's folder. `folder`: the folder of the content. */
export function textFiles(pages: readonly DescribedPage[], folder?: string): Record<string, string> {
  const articles = readArticles(folder);
  return {
    'sitemap.xml': sitemap(pages, articles),
    'robots.txt': robots(),
    'llms.txt': llmsText(pages, articles),
    'manifest.webmanifest': webManifest(),
    [SECURITY_PATH.slice(1)]: securityText(new Date()),
    [GPC_PATH.slice(1)]: gpcText(),
    [RSS_PATH.slice(1)]: rss(articles),
  };
}
