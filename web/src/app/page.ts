/**
 * Who sees a page. `public`: everyone. `visitor`: signed-out users; others are redirected to where they
 * came from. `signed-in`: signed-in users; others are redirected to the sign-in page.
 */
type Access = 'public' | 'visitor' | 'signed-in';

export interface Page {
  path: `/${string}`;
  /** Path below `src/routes`. Its default export is the page. */
  module: `${string}/${string}-page.tsx`;
  title: string;
  access: Access;
  /** Whether search engines may list it. */
  listed: boolean;
  /**
   * Path below `src/routes` of what stands in the built HTML of a shell, and shows while the session or the
   * page's code loads. Its default export needs no props and no data, and has the page's final height.
   * @default a spinner
   */
  waiting?: `${string}/${string}-waiting.tsx`;
  /**
   * Whether its HTML holds the site's frame alone, and the script fills it in. For pages whose content
   * depends on the user or on the query. @default true for pages that aren't public
   */
  shell?: boolean;
}

export const isShell = ({ shell, access }: Pick<Page, 'shell' | 'access'>): boolean =>
  shell ?? access !== 'public';

export type DescribedPage = Page & {
  /** For search engines and previews of links. */
  description: string;
};

export interface DescribedSite {
  pages: readonly DescribedPage[];
  notFound: Omit<DescribedPage, 'path'>;
  unknownArticle: DescribedPage;
}

/** The site as the build sees it. */
export interface RenderedSite extends DescribedSite {
  /** The HTML inside `#root` at an address. For a shell it has no page content. */
  render: (path: string) => Promise<string>;
}
