/**
 * Who gets to see a page: `public`, everybody; `visitor`, whoever is signed out, the others are sent on;
 * `signed-in`, whoever is signed in, the others are sent to sign in.
 */
type Access = 'public' | 'visitor' | 'signed-in';

export interface Page {
  path: `/${string}`;
  /** Below `src/routes`; its default export is the page. */
  module: `${string}/${string}-page.tsx`;
  title: string;
  description: string;
  access: Access;
  /** Whether search engines may list it. */
  listed: boolean;
  /** What shows while the session loads, where that isn't `Loading`. */
  waiting?: string;
  /**
   * Its HTML is the site's frame alone, and the script fills it: what it shows hangs on who asks or on the address's query. By
   * default so for every page that isn't public.
   */
  shell?: boolean;
}

export const isShell = ({ shell, access }: Pick<Page, 'shell' | 'access'>): boolean =>
  shell ?? access !== 'public';

/** The site as the build sees it. */
export interface RenderedSite {
  pages: readonly Page[];
  notFound: Omit<Page, 'path'>;
  /** What stands in `#root` at an address; a shell's holds no page. */
  render: (path: string) => Promise<string>;
}
