import { readdirSync } from 'node:fs';

/**
 * Paths of the pages in a built site: `pricing.html` is `/pricing`. Leaves out `index.html` and `404.html`.
 */
export function pagesOf(site: string): string[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.html') && file !== '/index.html' && file !== '/404.html')
    .map((file) => file.slice(0, -'.html'.length))
    .toSorted();
}

/**
 * Code of two CloudFront Functions that map addresses to files. A page's address has no file ending, no
 * trailing slash and no capitals; other spellings are redirected to it. An unknown address gets `404.html`
 * with status 404. A custom error response can't do this: it applies to the whole distribution, and would
 * replace the API's own 403 and 404.
 *
 * `redirects`: old paths, and the paths of the pages that they redirect to, for good. `temporary`: paths that
 * redirect to a place that may change, which may have a fragment.
 *
 * The response function may see the requested or the rewritten address. `fileOf` gives the same file for
 * both.
 */
export function pageRouting(
  pages: readonly string[],
  redirects: Readonly<Record<string, string>> = {},
  temporary: Readonly<Record<string, string>> = {},
): { request: string; response: string } {
  const fileOf = `
var pages = ${JSON.stringify(Object.fromEntries(pages.map((page) => [page, 1])))};
function fileOf(uri) {
  if (uri === '/') return '/index.html';
  if (uri.slice(uri.lastIndexOf('/')).indexOf('.') >= 0) return uri;
  return Object.prototype.hasOwnProperty.call(pages, uri) ? uri + '.html' : '/404.html';
}`;
  return {
    request: `${fileOf}
var redirects = ${JSON.stringify(redirects)};
var temporary = ${JSON.stringify(temporary)};
function has(list, path) {
  return Object.prototype.hasOwnProperty.call(list, path);
}
function queryOf(querystring) {
  var pairs = [];
  for (var name in querystring) {
    var values = querystring[name].multiValue || [querystring[name]];
    for (var i = 0; i < values.length; i++) pairs.push(name + '=' + values[i].value);
  }
  return pairs.length ? '?' + pairs.join('&') : '';
}
function redirect(statusCode, statusDescription, place, querystring) {
  var parts = place.split('#');
  var location = parts[0] + queryOf(querystring) + (parts[1] ? '#' + parts[1] : '');
  return {
    statusCode: statusCode,
    statusDescription: statusDescription,
    headers: { location: { value: location } },
  };
}
function handler(event) {
  var request = event.request;
  var uri = request.uri;
  var tidy = uri.replace(/\\/+$/, '').toLowerCase().replace(/(\\/index)?\\.html$/, '') || '/';
  if (has(temporary, tidy)) return redirect(302, 'Found', temporary[tidy], request.querystring);
  var moved = has(redirects, tidy);
  if (moved) tidy = redirects[tidy];
  // Redirects only to known pages: //another.example/ must not become a Location.
  if (tidy !== uri && (moved || tidy === '/' || has(pages, tidy))) {
    return redirect(301, 'Moved Permanently', tidy, request.querystring);
  }
  request.uri = fileOf(uri);
  return request;
}`,
    response: `${fileOf}
function handler(event) {
  var response = event.response;
  if (response.statusCode === 200 && fileOf(event.request.uri) === '/404.html') {
    response.statusCode = 404;
    response.statusDescription = 'Not Found';
  }
  return response;
}`,
  };
}
