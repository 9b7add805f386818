import { randomUUID } from 'node:crypto';
import { isBrokenOff, readBody } from '../base/http-body.ts';
import type { IncomingMessage, RequestListener } from 'node:http';

/** An error that an AWS API answers with. `name` is the SDK's name for it. */
export class AwsRefusal extends Error {
  readonly status: number;

  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export interface AwsCall {
  /** The operation, like `TrentService.Sign`. Empty for services that have a route per operation. */
  target: string;
  /** Method and path, like `POST /v2/email/outbound-emails`. */
  route: string;
  /** Empty if the body is not a JSON object. */
  body: Record<string, unknown>;
}

// Far more than the product sends to KMS, Secrets Manager or SES.
const LARGEST_BODY = 1024 * 1024;

/** An AWS API with JSON bodies. `answer` refuses with an `AwsRefusal`; any other error is a bug. */
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
        if (isBrokenOff(request)) return;
        const { name, message, status } = thrown instanceof AwsRefusal ? thrown : internal(thrown);
        response
          .writeHead(status, { ...headers, 'x-amzn-errortype': name })
          .end(JSON.stringify({ __type: name, message }));
      });
  };
}

/** The JSON object in `text`, or an empty object. */
export function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const body = await readBody(request, LARGEST_BODY);
  if (!body) throw new AwsRefusal('RequestEntityTooLargeException', 'Request is too large.', 413);
  return body.toString();
}

function internal(thrown: unknown): AwsRefusal {
  console.error(thrown);
  return new AwsRefusal('InternalFailure', 'Internal failure', 500);
}
