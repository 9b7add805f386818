import type { IncomingMessage, RequestListener } from 'node:http';

/** Whether the Host header names this machine. With DNS rebinding, browsers send the foreign site's name. */
export function isAddressedHere(request: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');
}

/**
 * Whether a script on a page of this origin sent the request. Stricter than `isFromHere`: every browser sends
 * the page's origin with a POST, so a request without an origin is refused too.
 */
export function isFromOwnPage(request: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = request.headers;
  const json = request.headers['content-type']?.startsWith('application/json') ?? false;
  return json && site === 'same-origin' && origin === `http://${host}`;
}

/** Whether a program or a page of this origin sent the request, and no page of another origin. */
export function isFromHere(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  return origin === undefined || origin === `http://${host}`;
}

/**
 * The handler, without requests of scripts and forms on other origins' pages, which could read and change the
 * local users: Cognito's API lets any page read its answers. `also`: one more origin for a path.
 */
export const pagesOf =
  (
    origins: readonly string[],
    handle: RequestListener,
    also: Readonly<Record<string, string>> = {},
  ): RequestListener =>
  (request, response) => {
    const { origin } = request.headers;
    const [path = ''] = (request.url ?? '').split('?');
    const isAllowed =
      origin === undefined ||
      origins.includes(origin) ||
      (Object.hasOwn(also, path) && also[path] === origin);
    if (isAllowed) handle(request, response);
    else response.writeHead(403).end();
  };
