import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { contentTypeOf } from '../../infra/local/aws/s3.ts';

const COMPRESSED = /^(text\/|application\/(json|xml)|image\/svg)/;

/** A key and a self-signed certificate for localhost, valid for a day. */
export function certificate(): { key: Buffer; cert: Buffer } {
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

interface LocalServer {
  /** Like `https://localhost:4300`. */
  origin: string;
  close: () => Promise<void>;
}

/**
 * Serves a built site as a CloudFront edge with a warm cache does: HTTP/2 over TLS, brotli, the cache headers
 * of infra/constructs/website.ts. Files are compressed once at the start, so a request costs little CPU.
 * `transform` is applied to every page's HTML.
 */
export async function serve(
  site: string,
  tls: { key: Buffer; cert: Buffer },
  transform: (html: string) => string = (html) => html,
): Promise<LocalServer> {
  const loadFile = (name: string) => {
    const type = contentTypeOf(name);
    const content = readFileSync(path.join(site, name));
    const plain = name.endsWith('.html') ? Buffer.from(transform(content.toString())) : content;
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
      body: isCompressed ? brotliCompressSync(plain) : plain,
    };
  };
  const names = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${path.relative(site, path.join(entry.parentPath, entry.name))}`);
  const files = new Map(names.map((name) => [pathOf(name), loadFile(name)]));
  const server: Http2SecureServer = createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => {
    const { pathname } = new URL(request.url, 'https://localhost');
    const file = files.get(pathname);
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

const pathOf = (name: string): string =>
  name === '/index.html' ? '/' : name.endsWith('.html') ? name.slice(0, -'.html'.length) : name;
