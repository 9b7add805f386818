import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { once } from '../once.ts';

/** Objects of a bucket. Keys have only letters, digits and `/-_.~`. */
export interface Objects {
  get(key: string): Promise<Buffer | undefined>;
  /** Replaces the object. */
  put(key: string, body: Uint8Array): Promise<void>;
}

interface S3Request {
  method: 'GET' | 'PUT';
  url: URL;
  /** The AWS account that the bucket has to belong to. */
  owner: string;
  body?: Uint8Array;
}

// Milliseconds. A part of an export has some megabytes.
const TIME_LIMIT = 60_000;
const PAUSES = [200, 1_000];

/** `owner`: the AWS account of the bucket. S3 refuses requests if the bucket is another account's. */
export function bucketObjects(bucket: string, owner: string): Objects {
  const send = async (request: Omit<S3Request, 'url' | 'owner'>, key: string): Promise<Response> => {
    const url = addressOf(bucket, key);
    for (const pause of [...PAUSES, undefined]) {
      const answer = await attempt({ ...request, url, owner });
      if (answer instanceof Response && answer.status < 500) return answer;
      if (pause === undefined) throw new Error(`S3 failed at ${request.method} ${key}: ${said(answer)}`);
      await wait(pause);
    }
    throw new Error('The last attempt has a result.');
  };

  return {
    async get(key) {
      const answer = await send({ method: 'GET' }, key);
      if (answer.status === 404) return undefined;
      if (!answer.ok) throw new Error(`S3 refused GET ${key}: ${await refusalIn(answer)}`);
      return Buffer.from(await answer.arrayBuffer());
    },

    async put(key, body) {
      const answer = await send({ method: 'PUT', body }, key);
      if (!answer.ok) throw new Error(`S3 refused PUT ${key}: ${await refusalIn(answer)}`);
    },
  };
}

/** Resolves with the error of a request that got no answer. */
async function attempt(request: S3Request): Promise<unknown> {
  const { method, url, body } = request;
  try {
    return await fetch(url, {
      method,
      headers: await signedHeaders(request),
      ...(body && { body: Buffer.from(body) }),
      signal: AbortSignal.timeout(TIME_LIMIT),
    });
  } catch (error) {
    return error;
  }
}

const signer = once(async () => {
  const { SignatureV4 } = await import('./signing-sdk.ts');
  return new SignatureV4({
    service: 's3',
    region: async () => region(),
    credentials,
    sha256: Sha256,
    // S3 signs a path as it is sent.
    uriEscapePath: false,
  });
});

async function signedHeaders({ method, url, owner, body }: S3Request): Promise<Record<string, string>> {
  const { headers } = await (
    await signer()
  ).sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, 'x-amz-expected-bucket-owner': owner },
    body,
  });
  // `fetch` writes this one itself.
  const { host: _, ...sent } = headers;
  return sent;
}

/** SHA-256, or with a secret HMAC-SHA-256, as the signer calls it. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(chunk));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  /** A hash is used once. */
  reset(): never {
    throw new Error('Not implemented.');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

const region = (): string => process.env['AWS_REGION'] ?? 'us-east-1';

/** Lambda gives a process its credentials in variables. They are good for as long as the process lives. */
const credentials = async () => {
  const sessionToken = process.env['AWS_SESSION_TOKEN'];
  return {
    accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
    ...(sessionToken !== undefined && { sessionToken }),
  };
};

/** The SDK's variable moves S3 elsewhere. */
function addressOf(bucket: string, key: string): URL {
  const elsewhere = process.env['AWS_ENDPOINT_URL_S3'];
  const origin = elsewhere ? `${elsewhere}/${bucket}` : `https://${bucket}.s3.${region()}.amazonaws.com`;
  return new URL(`${origin}/${key}`);
}

const said = (answer: unknown): string =>
  answer instanceof Response ? `status ${answer.status}` : String(answer);

/** S3's error code, like `AccessDenied`. */
async function refusalIn(answer: Response): Promise<string> {
  const code = /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1];
  return `${answer.status} ${code ?? ''}`.trim();
}
