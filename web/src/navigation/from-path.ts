// Only a base for resolving paths. A path that resolves to another origin leaves this site.
const BASE = 'https://site.invalid';

export const ACCOUNT_HOME = '/dashboard';

/** The location, in the router's state, from which a redirect came. */
interface RouterLocation {
  pathname: string;
  search?: string;
  hash?: string;
}

/**
 * The path to open after signing in. The result is always a path of this site: an address of another site, or
 * a path that a browser reads as such (`//`, `/\`), becomes the dashboard. The sign-in pages, which would
 * redirect again, become the dashboard too.
 */
export function inAppPath(from: unknown): string {
  const path = textOf(from);
  if (path === null || !/^\/(?![/\\])/.test(path) || !URL.canParse(path, BASE)) return ACCOUNT_HOME;
  const url = new URL(path, BASE);
  if (url.origin !== BASE || url.pathname.startsWith('//')) return ACCOUNT_HOME;
  if (url.pathname === '/login' || url.pathname === '/signup') return ACCOUNT_HOME;
  return url.pathname + url.search + url.hash;
}

export const isCheckout = (path: string): boolean => /^\/checkout(?:[?#]|$)/.test(path);

/** The state of the page that a redirect came from. */
export const stateIn = (from: unknown): unknown =>
  isRouterLocation(from) && 'state' in from ? from.state : undefined;

function textOf(from: unknown): string | null {
  if (typeof from === 'string') return from;
  return isRouterLocation(from) ? from.pathname + (from.search ?? '') + (from.hash ?? '') : null;
}

function isRouterLocation(value: unknown): value is RouterLocation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pathname' in value &&
    typeof value.pathname === 'string' &&
    (!('search' in value) || typeof value.search === 'string') &&
    (!('hash' in value) || typeof value.hash === 'string')
  );
}
