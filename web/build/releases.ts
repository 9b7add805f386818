import { escapeHtml } from '../../schemas/escape-html.ts';
import { product } from '../../schemas/product/product.ts';
import { LatestRelease, type Release } from '../../schemas/content/release.ts';
import { addressOf } from './page-head.ts';

const CHANGELOG_RSS_PATH = '/changelog/rss.xml';
const LATEST_RELEASE_PATH = '/releases/latest.json';

/** The newest release, with the address that its disk image is downloaded from. */
export function latestRelease([newest]: readonly Release[]): LatestRelease | undefined {
  if (!newest) return undefined;
  const { content: _, ...facts } = newest;
  return LatestRelease.parse({ url: product.downloadUrl, ...facts });
}

/** The facts beside a download: address, requirements and version. */
export interface Download {
  downloadUrl: string;
  /** The known requirements, in a line of text. */
  requirements: string;
  /** Version of the newest release. */
  newestVersion: string | undefined;
}

/** `system`: the required system if the newest release doesn't say. */
export function downloadOf(releases: readonly Release[], system = systemOf(undefined)): Download {
  const { version, url, size, minimumSystemVersion } = latestRelease(releases) ?? {};
  const facts = [
    version !== undefined && `Version ${version}`,
    size !== undefined && inMegabytes(size),
    `Needs ${minimumSystemVersion === undefined ? system : systemOf(minimumSystemVersion)} and an internet connection`,
  ];
  return {
    downloadUrl: url ?? product.downloadUrl,
    requirements: facts.filter((fact) => fact !== false).join(' · '),
    newestVersion: version,
  };
}

/** The required system in words: `macOS 14 or later`. */
export const systemOf = (version: string | undefined): string =>
  version === undefined ? 'macOS' : `macOS ${version} or later`;

/** A size as macOS writes it, in powers of ten: `8.4 MB`, `42 MB`. */
export const inMegabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;

/** The files that exist once there is a release: texts by path. */
export function releaseFiles(releases: readonly Release[]): ReadonlyMap<string, string> {
  const latest = latestRelease(releases);
  if (!latest) return new Map();
  return new Map([
    [LATEST_RELEASE_PATH, `${JSON.stringify(latest, null, 2)}\n`],
    [CHANGELOG_RSS_PATH, changelogRss(releases)],
  ]);
}

/** The releases as RSS 2.0, with their full text. */
function changelogRss(releases: readonly Release[]): string {
  const items = releases.map(({ version, date, content }) => {
    const address = addressOf(`/changelog#${version}`);
    return `    <item>
      <title>${product.name} ${version}</title>
      <link>${address}</link>
      <guid>${address}</guid>
      <description>${escapeHtml(withFullAddresses(content))}</description>
      <pubDate>${new Date(`${date}T00:00:00Z`).toUTCString()}</pubDate>
    </item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${product.name} changelog</title>
    <link>${addressOf('/changelog')}</link>
    <description>What changed in each version of ${product.name} for Mac.</description>
    <language>en</language>
    <atom:link href="${addressOf(CHANGELOG_RSS_PATH)}" rel="self" type="application/rss+xml" />
${items.join('\n')}
  </channel>
</rss>
`;
}

/** HTML with absolute links, since a feed reader shows the text away from the site. */
const withFullAddresses = (html: string): string =>
  html.replaceAll(/ (href|src)="\/(?!\/)/g, (_, name: string) => ` ${name}="${addressOf('/')}`);
