/**
 * What to assign to `document.cookie` so that every cookie in it ends. A script can't see which domain a cookie was set for,
 * so each goes for this host and for every domain above it.
 */
export function expiredCookies(cookies: string, hostname: string): string[] {
  const labels = hostname.split('.');
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  return cookies
    .split(';')
    .map((cookie) => cookie.split('=')[0]?.trim())
    .filter((name) => name !== undefined && name !== '')
    .flatMap((name) => {
      const ended = `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
      return [ended, ...domains.map((domain) => `${ended}; domain=${domain}`)];
    });
}
