import { product } from '../../schemas/product/product.ts';
import { LatestRelease, type Release } from '../../schemas/content/release.ts';
import { feed, withFullAddresses } from './discovery.ts';

const CHANGELOG_RSS_PATH = '/changelog/rss.xml';

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
export function releaseFiles(releases: readonly Release[]): Record<string, string> {
  const latest = latestRelease(releases);
  if (!latest) return {};
  return {
    '/releases/latest.json': `${JSON.stringify(latest, null, 2)}\n`,
    [CHANGELOG_RSS_PATH]: changelogRss(releases),
  };
}

/** The releases as RSS 2.0, with their full text. */
const changelogRss = (releases: readonly Release[]): string =>
  feed({
    path: CHANGELOG_RSS_PATH,
    page: '/changelog',
    title: `${product.name} changelog`,
    description: `What changed in each version of ${product.name} for Mac.`,
    items: releases.map(({ version, date, content }) => ({
      path: `/changelog#${version}`,
      date,
      elements: { title: `${product.name} ${version}`, description: withFullAddresses(content) },
    })),
  });
