import * as z from 'zod/mini';

/** The app's version, as macOS shows it: `1.4` or `1.4.2`. */
const Version = z.string().check(z.regex(/^\d+\.\d+(\.\d+)?$/));

/** The facts about a release that may be known. Unknown facts are left out. */
const known = {
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  /** Size of the disk image, in bytes. */
  size: z.optional(z.int().check(z.positive())),
  /** The oldest macOS that the release runs on: `14` or `14.2`. */
  minimumSystemVersion: z.optional(z.string().check(z.regex(/^\d+(\.\d+){0,2}$/))),
};

const DiskImage = z.string().check(z.regex(/^https:\/\/[^\s/?#]+\/[^\s?#]+\.dmg$/));

/** Front matter of a file in `web/content/changelog`. The text below it describes the changes. */
export const ReleaseFrontMatter = z
  .strictObject({
    version: Version,
    date: z.iso.date(),
    /** The release's own disk image, whose content never changes. */
    url: z.optional(DiskImage),
    ...known,
  })
  .check(
    z.refine(({ url, sha256, size }) => url !== undefined || (sha256 === undefined && size === undefined), {
      path: ['url'],
      error: 'sha256 and size are those of a disk image at an address of its own',
    }),
  );

/** `content` is HTML. */
export type Release = z.infer<typeof ReleaseFrontMatter> & { content: string };

/** `/releases/latest.json`: the newest release, for the app's updater. */
export const LatestRelease = z.strictObject({
  version: Version,
  date: z.iso.date(),
  /** The disk image. Without `sha256`, the address always serves the latest image. */
  url: DiskImage,
  ...known,
});
export type LatestRelease = z.infer<typeof LatestRelease>;
