import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { contentTypeOf } from '../../infra/local/aws/s3.ts';

const COMPRESSED = /^(text\/|application\/(json|xml)|image\/svg)/;

interface Tls {
  key: Buffer;
  cert: Buffer;
}

/** A key and a self-signed certificate for localhost, valid for a day. */
export function certificate(): Tls {
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-tls-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(
    'openssl',
    [...request, '-days', '1', '-subj', '/CN=localhost', '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  );
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return pair;
}

interface ServedFile {
  headers: Record<string, string>;
  body: Buffer;
}

/** A built site, compressed once, by the paths at which it is served. */
export interface BuiltSite {
  files: ReadonlyMap<string, ServedFile>;
  /** The HTML of each page. */
  pages: ReadonlyMap<string, string>;
}

export function readSite(folder: string): BuiltSite {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${path.relative(folder, path.join(entry.parentPath, entry.name))}`);
  const contents = names.map((name) => ({ name, content: readFileSync(path.join(folder, name)) }));
  return {
    files: new Map(contents.map(({ name, content }) => [pathOf(name), served(name, content)])),
    pages: new Map(
      contents
        .filter(({ name }) => name.endsWith('.html'))
        .map(({ name, content }) => [pathOf(name), content.toString()]),
    ),
  };
}

interface LocalServer {
  /** Like `https://localhost:4300`. */
  origin: string;
  close: () => Promise<void>;
}

/**
 * Serves a built site as a CloudFront edge with a warm cache does: HTTP/2 over TLS, brotli, the cache headers
 * of infra/constructs/website/website.ts. `pages` has HTML to serve at a path in place of the built page, and
 * `config` the site's configuration.
 */
export async function serve(
  site: BuiltSite,
  tls: Tls,
  { pages = new Map<string, string>(), config }: { pages?: ReadonlyMap<string, string>; config?: string },
): Promise<LocalServer> {
  const replaced = [...pages].map(([page, html]) => [page, served('page.html', Buffer.from(html))] as const);
  const files = new Map([...site.files, ...replaced]);
  if (config !== undefined) files.set('/config.json', served('config.json', Buffer.from(config)));
  const server = createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => {
    const file = files.get(new URL(request.url, 'https://localhost').pathname);
    response.writeHead(file ? 200 : 404, file?.headers);
    response.end(file?.body ?? '');
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    origin: `https://localhost:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

function served(name: string, content: Buffer): ServedFile {
  const type = contentTypeOf(name);
  const isCompressed = COMPRESSED.test(type);
  return {
    headers: {
      'content-type': type,
      'cache-control': name.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=0, s-maxage=86400, must-revalidate',
      'x-content-type-options': 'nosniff',
      ...(isCompressed && { 'content-encoding': 'br', vary: 'accept-encoding' }),
    },
    body: isCompressed ? brotliCompressSync(content) : content,
  };
}

const pathOf = (name: string): string =>
  name === '/index.html' ? '/' : name.endsWith('.html') ? name.slice(0, -'.html'.length) : name;
