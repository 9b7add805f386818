/**
 * The users who see a page. `public`: everyone. `visitor`: signed-out users; others are redirected to the
 * page that they came from. `signed-in`: signed-in users; others are redirected to the sign-in page.
 */
type Access = 'public' | 'visitor' | 'signed-in';

export interface Page {
  path: `/${string}`;
  /** Path below `src/routes`. Its default export is the page. */
  module: `${string}/${string}-page.tsx`;
  title: string;
  access: Access;
  /** Whether search engines may list the page. */
  listed: boolean;
  /**
   * Path below `src/routes` of the component in the built HTML of a shell, which shows while the session or
   * the page's code loads. The default export needs no props and no data, and has the page's final height.
   * @default a spinner
   */
  waiting?: `${string}/${string}-waiting.tsx`;
  /**
   * Whether the HTML holds only the site's frame, which the script fills in. For pages whose content depends
   * on the user or on the query. @default true for pages that aren't public
   */
  shell?: boolean;
}

export const isShell = ({ shell, access }: Pick<Page, 'shell' | 'access'>): boolean =>
  shell ?? access !== 'public';

export type DescribedPage = Page & {
  /** Description for search engines and link previews. */
  description: string;
};

export interface DescribedSite {
  pages: readonly DescribedPage[];
  notFound: Omit<DescribedPage, 'path'>;
  unknownArticle: DescribedPage;
}

/** The site as the build sees it. */
export interface RenderedSite extends DescribedSite {
  /** Renders the HTML inside `#root` at an address. For a shell, the HTML has no page content. */
  render: (path: string) => Promise<string>;
}
