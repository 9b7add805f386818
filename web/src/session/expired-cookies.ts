/**
 * Assignments to `document.cookie` that delete every cookie in `cookies`. A script can't see the domain and
 * the path of a cookie, so each cookie is deleted for this host and every parent domain, and for every path
 * whose cookies this page sees (RFC 6265, section 5.1.4). Cookies of other paths stay, since this page
 * doesn't see them.
 */
export function expiredCookies(
  cookies: string,
  { hostname, pathname }: { hostname: string; pathname: string },
): string[] {
  const labels = hostname.split('.');
  const domains = labels.slice(0, -1).map((_, index) => `; domain=${labels.slice(index).join('.')}`);
  const paths = visiblePaths(pathname);
  return cookies
    .split(';')
    .map((cookie) => (cookie.split('=')[0] ?? '').trim())
    .filter(Boolean)
    .flatMap((name) => {
      // Browsers ignore other assignments to cookies with these prefixes.
      const secure = /^__(Secure|Host)-/i.test(name) ? '; secure' : '';
      return paths.flatMap((path) =>
        ['', ...domains].map((domain) => `${name}=; path=${path}; max-age=0${secure}${domain}`),
      );
    });
}

/** `/a/b` sees the cookies of `/`, `/a`, `/a/` and `/a/b`. */
function visiblePaths(pathname: string): string[] {
  const slashes = [...pathname.matchAll(/\//g)].map(({ index }) => index);
  const folders = slashes.flatMap((index) => [pathname.slice(0, index), pathname.slice(0, index + 1)]);
  return [...new Set([...folders, pathname])].filter(Boolean);
}
