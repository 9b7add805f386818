import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The not-found page of a folder. Other folders use `/404.html`. */
const NOT_FOUND = '/not-found.html';

/** The files of a built site that addresses are mapped to. */
export interface SiteFiles {
  /** Paths of the pages: `pricing.html` is `/pricing`. Not-found pages are left out. */
  pages: readonly string[];
  /** Folders with their own not-found page, `not-found.html`. */
  notFound: readonly string[];
  /** Paths of other files. `assets` is left out: its older files remain after a deployment. */
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

/** Paths of the pages in a built site, without the home page and the not-found pages. */
export const pagesOf = (site: string): readonly string[] => siteFilesOf(site).pages;

/**
 * Code of two CloudFront Functions that map addresses to files. A page's address has no extension, no
 * trailing slash and no capitals; other spellings redirect to it. Every unknown address gets the not-found
 * page with status 404, even if it looks like a file.
 *
 * `redirects`: old paths with the pages that they permanently redirect to. `temporary`: paths with a target
 * that may change, and may have a fragment. `hosts`: other names of the site, with the name that they
 * redirect to.
 *
 * The response function may see the requested or the rewritten address. `fileOf` returns the same file for
 * both. The function also adds the character set of texts and the type of fonts: the upload guesses types by
 * the extension, without a character set, and has no guess for fonts.
 * https://github.com/aws/aws-cli/issues/1249
 */
export function pageRouting(
  { pages, notFound, others }: SiteFiles,
  redirects: Readonly<Record<string, string>> = {},
  temporary: Readonly<Record<string, string>> = {},
  hosts: Readonly<Record<string, string>> = {},
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
var hosts = ${JSON.stringify(hosts)};
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
  var host = request.headers.host ? request.headers.host.value : '';
  if (has(hosts, host)) {
    return redirect(301, 'Moved Permanently', 'https://' + hosts[host] + uri, request.querystring);
  }
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
