/**
 * Assignments to `document.cookie` that delete every cookie in `cookies`. A script can't see the domain of a
 * cookie, so each cookie is deleted for this host and for every parent domain.
 */
export function expiredCookies(cookies: string, hostname: string): string[] {
  const labels = hostname.split('.');
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
  return cookies
    .split(';')
    .map((cookie) => cookie.split('=')[0]?.trim())
    .filter((name) => name !== undefined && name !== '')
    .flatMap((name) => {
      const expired = `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
      return [expired, ...domains.map((domain) => `${expired}; domain=${domain}`)];
    });
}
