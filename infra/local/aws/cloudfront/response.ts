import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Behavior } from './behavior.ts';
import type { ResponseHeaders } from './policies.ts';

export interface Response {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export function addHeaders({ set, remove }: ResponseHeaders, headers: Response['headers']): void {
  for (const name of remove) delete headers[name];
  for (const { name, value, override } of set) {
    if (override || headers[name] === undefined) headers[name] = value;
  }
}

// The ETag of a compressed response starts with `W/`.
const strong = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the browser's copy is current, so that a 304 is enough. */
export function isUnchanged(request: IncomingMessage, headers: Response['headers']): boolean {
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const { etag, 'last-modified': modified } = headers;
  if (known !== undefined) {
    return typeof etag === 'string' && known.split(',').some((tag) => strong(tag) === strong(etag));
  }
  return since !== undefined && typeof modified === 'string' && new Date(since) >= new Date(modified);
}

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html
const SMALLEST_COMPRESSED = 1_000;
const LARGEST_COMPRESSED = 10_000_000;
const COMPRESSIBLE =
  /^(text\/|application\/(javascript|json|xml|wasm|vnd\.ms-fontobject|[\w.-]+\+(json|xml))|image\/svg\+xml|font\/(ttf|otf|opentype))/;

/** Compressed bodies by their source, then by encoding. A bucket's object is the same buffer each time. */
const compressedBodies = new WeakMap<Buffer, Partial<Record<'br' | 'gzip', Buffer>>>();

/** The body in an encoding that the browser accepts. Sets the headers of a compressed body. */
export function compressed(
  { compress }: Behavior,
  request: IncomingMessage,
  headers: Response['headers'],
  body: Buffer,
): Buffer {
  const fits = body.byteLength >= SMALLEST_COMPRESSED && body.byteLength <= LARGEST_COMPRESSED;
  const isText = COMPRESSIBLE.test(String(headers['content-type'] ?? ''));
  if (!compress || !fits || !isText || headers['content-encoding'] !== undefined) return body;
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  if (!encoding) return body;
  headers['content-encoding'] = encoding;
  headers['vary'] = 'accept-encoding';
  if (typeof headers['etag'] === 'string') headers['etag'] = headers['etag'].replace(/^(W\/)?/, 'W/');
  const known = compressedBodies.get(body) ?? {};
  compressedBodies.set(body, known);
  return (known[encoding] ??=
    encoding === 'gzip'
      ? gzipSync(body)
      : // CloudFront compresses while it serves, at about this quality.
        brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }));
}
