import type { IncomingMessage, RequestListener } from 'node:http';
import { isBrokenOff, readBody } from '../base/http-body.ts';
import type { Collection, Store } from '../base/store.ts';

// Far more than the product stores at once.
const LARGEST_BODY = 64 * 1024 * 1024;

interface Answer {
  status: number;
  body: string | Buffer;
}

/**
 * Objects that functions store: PutObject and GetObject, with the bucket's name first in the path. Versions
 * and lifecycles are not emulated.
 */
export class StoredObjects {
  /** Contents in base64, by bucket and key. */
  readonly #objects: Collection<string>;
  readonly #hasBucket: (name: string) => boolean;

  constructor(store: Store, hasBucket: (name: string) => boolean) {
    this.#objects = store.collection('s3/objects');
    this.#hasBucket = hasBucket;
  }

  readonly handle: RequestListener = (request, response) => {
    this.#answer(request)
      .then(({ status, body }) => response.writeHead(status).end(body))
      .catch((error: unknown) => {
        if (isBrokenOff(request)) return;
        console.error(error);
        response.writeHead(500).end(xml('InternalError'));
      });
  };

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method, url = '', headers } = request;
    const body = await readBody(request, LARGEST_BODY);
    // The SDK names the operation in a parameter, which S3 doesn't read.
    const [, bucket = '', key = ''] = /^\/([^/?]+)\/([^?]+)(?:\?x-id=\w+)?$/.exec(url) ?? [];
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return refused(403, 'AccessDenied');
    if (!this.#hasBucket(bucket)) return refused(404, 'NoSuchBucket');
    if (body === undefined) return refused(400, 'EntityTooLarge');
    const name = `${bucket}/${key}`;
    if (method === 'PUT') {
      this.#objects.put(name, body.toString('base64'));
      return { status: 200, body: '' };
    }
    if (method !== 'GET') return refused(405, 'MethodNotAllowed');
    const stored = this.#objects.get(name);
    if (stored === undefined) return refused(404, 'NoSuchKey');
    return { status: 200, body: Buffer.from(stored, 'base64') };
  }
}

const xml = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`;

const refused = (status: number, code: string): Answer => ({ status, body: xml(code) });
