// Only for resolving against: an address that leaves it is not one of ours.
const HERE = 'https://site.invalid';

export const HOME_OF_MEMBERS = '/dashboard';

/** What the router hands over as the place somebody came from. */
interface Place {
  pathname: string;
  search?: string;
  hash?: string;
}

/**
 * The page to go on to after signing in. Whatever `from` is, the answer is a path on this site: an address
 * of another site, or one that a browser would read as such (`//`, `/\`), becomes the dashboard. So do the sign-in
 * pages themselves, which would only send the person on again.
 */
export function inAppPath(from: unknown): string {
  const path = textOf(from);
  if (path === null || !/^\/(?![/\\])/.test(path) || !URL.canParse(path, HERE)) return HOME_OF_MEMBERS;
  const url = new URL(path, HERE);
  if (url.origin !== HERE || url.pathname.startsWith('//')) return HOME_OF_MEMBERS;
  if (url.pathname === '/login' || url.pathname === '/signup') return HOME_OF_MEMBERS;
  return url.pathname + url.search + url.hash;
}

function textOf(from: unknown): string | null {
  if (typeof from === 'string') return from;
  return isPlace(from) ? from.pathname + (from.search ?? '') + (from.hash ?? '') : null;
}

function isPlace(value: unknown): value is Place {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pathname' in value &&
    typeof value.pathname === 'string' &&
    (!('search' in value) || typeof value.search === 'string') &&
    (!('hash' in value) || typeof value.hash === 'string')
  );
}
