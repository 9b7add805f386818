import { setTimeout as wait } from 'node:timers/promises';
import { type AwsCredentials, type S3Request, signedHeaders } from './signature.ts';

/** Objects of a bucket. Keys have only letters, digits and `/-_.~`. */
export interface Objects {
  get(key: string): Promise<Buffer | undefined>;
  /** Replaces the object. */
  put(key: string, body: Uint8Array): Promise<void>;
}

// Milliseconds. A part of an export has some megabytes.
const TIME_LIMIT = 60_000;
const PAUSES = [200, 1_000];

export function bucketObjects(bucket: string): Objects {
  const send = async (request: Omit<S3Request, 'url'>, key: string): Promise<Response> => {
    const url = addressOf(bucket, key);
    for (const pause of [...PAUSES, undefined]) {
      const answer = await attempt({ ...request, url });
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
  const region = process.env['AWS_REGION'] ?? 'us-east-1';
  try {
    return await fetch(url, {
      method,
      headers: signedHeaders(request, credentials(), { region, now: new Date() }),
      ...(body && { body: Buffer.from(body) }),
      signal: AbortSignal.timeout(TIME_LIMIT),
    });
  } catch (error) {
    return error;
  }
}

/** Lambda gives a process its credentials in variables. They are good for as long as the process lives. */
const credentials = (): AwsCredentials => ({
  accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  sessionToken: process.env['AWS_SESSION_TOKEN'],
});

/** The SDK's variable moves S3 elsewhere. */
function addressOf(bucket: string, key: string): URL {
  const elsewhere = process.env['AWS_ENDPOINT_URL_S3'];
  const region = process.env['AWS_REGION'] ?? 'us-east-1';
  const origin = elsewhere ? `${elsewhere}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;
  return new URL(`${origin}/${key}`);
}

const said = (answer: unknown): string =>
  answer instanceof Response ? `status ${answer.status}` : String(answer);

/** S3's error code, like `AccessDenied`. */
async function refusalIn(answer: Response): Promise<string> {
  const code = /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1];
  return `${answer.status} ${code ?? ''}`.trim();
}
