import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyEventV2WithJWTAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import * as z from 'zod/mini';
import type { Endpoint } from '../../schemas/api.ts';
import { type RefusalBody, refusals } from '../../schemas/refusal.ts';
import { Refusal } from './refusal.ts';

/** Whoever the bearer token speaks for. */
export interface User {
  /** The Cognito `sub`. */
  id: string;
  /** When they signed in; refreshing a token doesn't move it. */
  signedInAt: Date;
  accessToken: string;
}

type Input<E extends Endpoint> = (E extends { body: infer B extends z.ZodMiniType } ? z.output<B> : unknown) &
  (E extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : unknown);

interface Context<E extends Endpoint> {
  now: Date;
  user: E['caller'] extends 'bearer' ? User : undefined;
  /** The body as it came, byte for byte: what a signature is over. */
  rawBody: Buffer;
  /** By lower-case name. */
  header: (name: string) => string | undefined;
}

export type HttpHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

const nothing = z.strictObject({});

// The largest body we have a use for is a few hundred bytes. Eight KiB leaves room for long names.
const MAXIMUM_BODY = 8 * 1024;

/**
 * The one way a route is served: reads the request through the endpoint's schemas, lets `handle` decide, and
 * answers through its response schema, so that a field nobody declared never leaves. A `Refusal` becomes
 * its status, sentence and code; anything else is logged and becomes a 500 without detail. Neither bodies nor
 * tokens are logged.
 */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (input: Input<E>, context: Context<E>) => Promise<z.input<E['response']>>,
): HttpHandler {
  return async (event) => {
    try {
      const rawBody = readBody(event, endpoint.maximumBody ?? MAXIMUM_BODY);
      const input = {
        ...parse(endpoint.query ?? nothing, event.queryStringParameters ?? {}),
        ...(endpoint.body && parse(endpoint.body, jsonOf(rawBody))),
      } as Input<E>;
      const answer = await handle(input, {
        now: new Date(),
        user: (endpoint.caller === 'bearer' ? userOf(event) : undefined) as Context<E>['user'],
        rawBody,
        header: (name) => event.headers[name],
      });
      return respond(endpoint.status, endpoint.response.parse(answer));
    } catch (error) {
      return refuse(endpoint, event.requestContext.requestId, error);
    }
  };
}

function refuse(endpoint: Endpoint, requestId: string, error: unknown): APIGatewayProxyStructuredResultV2 {
  const code = error instanceof Refusal ? error.code : 'internal';
  const line = { route: `${endpoint.method} ${endpoint.path}`, requestId, code };
  if (code === 'internal') console.error({ ...line, ...described(error) });
  else console.info(line);
  const { status, sentence } = refusals[code];
  return respond(status, { error: sentence, code } satisfies RefusalBody);
}

// Only what names the fault: an error object of a client can carry the request it was made for. Stripe's words repeat what they
// are about, and that can be somebody's address.
function described(error: unknown): { error: string; stack?: string | undefined } {
  return error instanceof Error
    ? {
        error: `${error.name}: ${withoutAddresses(error.message)}`,
        stack: error.stack && withoutAddresses(error.stack),
      }
    : { error: withoutAddresses(String(error)) };
}

const withoutAddresses = (text: string): string =>
  text.replaceAll(/[\w.%+-]+@[\w-]+(?:\.[\w-]+)+/g, '(an address)');

function respond(statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

function readBody(event: APIGatewayProxyEventV2, maximum: number): Buffer {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.byteLength > maximum) throw new Refusal('too-large');
  return body;
}

function jsonOf(body: Buffer): unknown {
  if (body.byteLength === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal('bad-request');
  }
}

function parse(schema: z.ZodMiniType, value: unknown): object {
  const parsed = schema.safeParse(value);
  if (!parsed.success || typeof parsed.data !== 'object' || !parsed.data) throw new Refusal('bad-request');
  return parsed.data;
}

const Claims = z.object({
  sub: z.string().check(z.minLength(1)),
  // API Gateway hands every claim on as a string; Unix seconds.
  auth_time: z.string().check(z.regex(/^\d{1,12}$/)),
  token_use: z.literal('access'),
});

function userOf(event: APIGatewayProxyEventV2): User {
  const { authorizer } = (event as Partial<APIGatewayProxyEventV2WithJWTAuthorizer>).requestContext ?? {};
  const claims = Claims.safeParse(authorizer?.jwt.claims);
  // The authorizer has checked the token. This is for the day a route is set up without one.
  if (!claims.success) throw new Refusal('not-signed-in');
  return {
    id: claims.data.sub,
    signedInAt: new Date(Number(claims.data.auth_time) * 1000),
    accessToken: (event.headers['authorization'] ?? '').replace(/^Bearer\s+/i, ''),
  };
}
