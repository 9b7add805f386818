import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The page of unknown addresses in a folder. In other folders that is `/404.html`. */
const NOT_FOUND = '/not-found.html';

/** The files of a built site that addresses are mapped to. */
export interface SiteFiles {
  /** Paths of the pages: `pricing.html` is `/pricing`. Without the pages of unknown addresses. */
  pages: readonly string[];
  /** Folders with a page of their own for unknown addresses, `not-found.html`. */
  notFound: readonly string[];
  /** Paths of other files. Without `assets`, whose older files are still there after a deployment. */
  others: readonly string[];
}

export function siteFilesOf(site: string): SiteFiles {
  const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(site, path.join(entry.parentPath, entry.name)))
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .toSorted();
  const html = files.filter((file) => file.endsWith('.html') && file !== '/index.html');
  return {
    pages: html
      .filter((file) => file !== '/404.html' && !file.endsWith(NOT_FOUND))
      .map((file) => file.slice(0, -'.html'.length)),
    notFound: html.filter((file) => file.endsWith(NOT_FOUND)).map((file) => file.slice(0, -NOT_FOUND.length)),
    others: files.filter((file) => !file.endsWith('.html') && !file.startsWith('/assets/')),
  };
}

/** Paths of the pages in a built site. Leaves out the home page and those of unknown addresses. */
export const pagesOf = (site: string): readonly string[] => siteFilesOf(site).pages;

/**
 * Code of two CloudFront Functions that map addresses to files. A page's address has no file ending, no
 * trailing slash and no capitals; other spellings are redirected to it. An unknown address gets the page of
 * unknown addresses with status 404, also if it looks like a file's. A custom error response can't do this:
 * it applies to the whole distribution, and would replace the API's own 403 and 404.
 *
 * `redirects`: old paths, and the paths of the pages that they redirect to, for good. `temporary`: paths
 * that redirect to a place that may change, which may have a fragment.
 *
 * The response function may see the requested or the rewritten address. `fileOf` gives the same file for
 * both. It also names the character set of texts, which S3 doesn't: the upload guesses types by their
 * endings. For fonts it has no guess. https://github.com/aws/aws-cli/issues/1249
 */
export function pageRouting(
  { pages, notFound, others }: SiteFiles,
  redirects: Readonly<Record<string, string>> = {},
  temporary: Readonly<Record<string, string>> = {},
): { request: string; response: string } {
  const fileOf = `
function setOf(paths) {
  var set = Object.create(null);
  paths.forEach(function (path) { set[path] = 1; });
  return set;
}
var pages = setOf(${JSON.stringify(pages)});
var others = setOf(${JSON.stringify(others)});
var notFound = setOf(${JSON.stringify(notFound)});
function fileOf(uri) {
  if (uri === '/' || uri === '/index.html') return '/index.html';
  if (pages[uri]) return uri + '.html';
  if (others[uri] || uri.indexOf('/assets/') === 0) return uri;
  if (pages[uri.replace(/\\.html$/, '')]) return uri;
  var folder = uri.toLowerCase().replace(/\\/*[^/]*\\/*$/, '');
  return notFound[folder] ? folder + '${NOT_FOUND}' : '/404.html';
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
  if (tidy !== uri && (moved || tidy === '/' || pages[tidy])) {
    return redirect(301, 'Moved Permanently', tidy, request.querystring);
  }
  request.uri = fileOf(uri);
  return request;
}`,
    response: `${fileOf}
function handler(event) {
  var response = event.response;
  if (response.statusCode === 200 && /\\/(404|not-found)\\.html$/.test(fileOf(event.request.uri))) {
    response.statusCode = 404;
    response.statusDescription = 'Not Found';
  }
  var type = response.headers['content-type'];
  if (type && /^(text\\/[^;]+|application\\/xml)$/.test(type.value)) type.value += '; charset=utf-8';
  if (type && response.statusCode === 200 && /\\.woff2$/.test(event.request.uri)) type.value = 'font/woff2';
  return response;
}`,
  };
}
