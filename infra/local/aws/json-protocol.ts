import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';

/** What a service of AWS refuses; `name` is what its SDK calls the error. */
export class AwsRefusal extends Error {
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export interface AwsCall {
  /** The operation of a service that has one address for all of them, like `TrentService.Sign`; else empty. */
  target: string;
  /** Method and path, like `POST /v2/email/outbound-emails`. */
  route: string;
  /** Empty where the body is no JSON object. */
  body: Record<string, unknown>;
}

// KMS takes 4 KB and GetSecretValue less; SES takes a mail with its pictures, which ours have none of.
const LARGEST_BODY = 1024 * 1024;

/** A service of AWS that takes JSON and answers JSON. `answer` throws an `AwsRefusal`; anything else it throws is a bug. */
export function awsJson(answer: (call: AwsCall) => object): RequestListener {
  return (request, response) => {
    const target = request.headers['x-amz-target'];
    const headers = {
      'content-type': target === undefined ? 'application/json' : 'application/x-amz-json-1.1',
      'x-amzn-requestid': randomUUID(),
    };
    bodyOf(request)
      .then((text) => {
        const route = `${request.method} ${request.url?.split('?')[0]}`;
        const body = JSON.stringify(answer({ target: String(target ?? ''), route, body: objectIn(text) }));
        response.writeHead(200, headers).end(body);
      })
      .catch((thrown: unknown) => {
        const { name, message, status } = thrown instanceof AwsRefusal ? thrown : internal(thrown);
        response
          .writeHead(status, { ...headers, 'x-amzn-errortype': name })
          .end(JSON.stringify({ __type: name, message }));
      });
  };
}

/** The JSON object in a text; an empty one where there is none. */
export function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // Read on to the end, and keep nothing: the caller is still writing and would miss the answer.
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  if (size > LARGEST_BODY) {
    throw new AwsRefusal('RequestEntityTooLargeException', 'Request is too large.', 413);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function internal(thrown: unknown): AwsRefusal {
  console.error(thrown);
  return new AwsRefusal('InternalFailure', 'Internal failure', 500);
}
