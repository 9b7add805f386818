import type { ArticleSummary } from '../../schemas/content/front-matter.ts';
import { free, mainOffer, offers } from '../../schemas/product/offers.ts';
import { product } from '../../schemas/product/product.ts';
import type { LatestRelease } from '../../schemas/content/release.ts';
import { addressOf } from './page-head.ts';
import { inMegabytes, systemOf } from './releases.ts';

const ORGANISATION = { '@id': addressOf('/#organisation') };
const APPLICATION = { '@id': addressOf('/#application') };

const organisation = {
  '@type': 'Organization',
  ...ORGANISATION,
  name: product.name,
  url: addressOf('/'),
  logo: addressOf('/favicon.svg'),
  email: product.supportEmail,
};

const website = {
  '@type': 'WebSite',
  name: product.name,
  url: addressOf('/'),
  publisher: ORGANISATION,
};

const applicationData = (release: LatestRelease | undefined) => ({
  '@type': 'SoftwareApplication',
  ...APPLICATION,
  name: product.name,
  description: product.tagline,
  applicationCategory: 'ProductivityApplication',
  operatingSystem: systemOf(release?.minimumSystemVersion),
  downloadUrl: release?.url ?? product.downloadUrl,
  ...(release && { softwareVersion: release.version, releaseNotes: addressOf('/changelog') }),
  ...(release?.size !== undefined && { fileSize: inMegabytes(release.size) }),
  publisher: ORGANISATION,
  offers: [{ ...mainOffer, name: free.name, priceInCents: 0 }, ...offers].map((offer) => ({
    '@type': 'Offer',
    name: offer.name,
    price: (offer.priceInCents / 100).toFixed(2),
    priceCurrency: offer.currency.toUpperCase(),
    url: addressOf('/pricing'),
  })),
});

export interface StructuredContent {
  articles: readonly ArticleSummary[];
  release?: LatestRelease | undefined;
}

/** The schema.org objects of a page, with every object that they refer to. */
export function structuredDataOf(path: string, { articles, release }: StructuredContent): object[] {
  if (path === '/') return [organisation, website, applicationData(release)];
  if (path === '/pricing') return [organisation, applicationData(release)];
  const article = articles.find(({ id }) => path === `/articles/${id}`);
  return article ? [organisation, articleData(article, path)] : [];
}

const articleData = ({ title, excerpt, author, date, category }: ArticleSummary, path: string) => ({
  '@type': 'Article',
  headline: title,
  description: excerpt,
  datePublished: date,
  articleSection: category,
  // The product's own team signs with the product's name.
  author: author.includes(product.name) ? ORGANISATION : { '@type': 'Person', name: author },
  publisher: ORGANISATION,
  mainEntityOfPage: addressOf(path),
});
