import type { APIGatewayProxyEventV2, APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Endpoint, SITE_SCOPE } from '../../schemas/routes/endpoint.ts';
import { refusalOf } from '../../schemas/shapes/refused-as.ts';
import type { SessionIdentity } from '../domain/account-moment.ts';
import { Refusal } from './refusal.ts';

/** The user that the bearer token names. */
export interface User extends SessionIdentity {
  /** The Cognito `sub`. */
  id: string;
  /** The time of the sign-in. Refreshing a token doesn't change it. */
  signedInAt: Date;
  accessToken: string;
  /** Whether the token belongs to an app: the relay's client issued it. Cognito's operations refuse it. */
  isAppToken: boolean;
}

const nothing = z.strictObject({});

// Bytes. The largest body in use is a few hundred bytes; the rest is room for long names.
const MAXIMUM_BODY = 8 * 1024;

// RFC 9110, 8.3.1: case doesn't matter, and parameters follow a semicolon.
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** The query and the body, parsed with the endpoint's schemas, and the unparsed body. */
export function readRequest(
  { query = nothing, body, maximumBody = MAXIMUM_BODY }: Endpoint,
  event: APIGatewayProxyEventV2,
): { input: object; rawBody: Buffer } {
  const rawBody = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (rawBody.byteLength > maximumBody) throw new Refusal('too-large');
  const input = {
    ...parse(query, event.queryStringParameters ?? {}),
    ...(body && parse(body, jsonOf(rawBody, event.headers['content-type']))),
  };
  return { input, rawBody };
}

/**
 * Other types are refused even if the text is JSON: a form on another site can send `text/plain`, but needs
 * the browser's permission to send `application/json`.
 */
function jsonOf(body: Buffer, contentType: string | undefined): unknown {
  const isEmpty = body.byteLength === 0;
  if (contentType === undefined ? !isEmpty : !JSON_TYPE.test(contentType)) {
    throw new Refusal('wrong-content-type');
  }
  return isEmpty ? {} : parsedJson(body);
}

export function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal('bad-request');
  }
}

function parse(schema: z.ZodMiniType<object>, value: unknown): object {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Refusal(refusalOf(parsed.error.issues));
  return parsed.data;
}

const Claims = z.object({
  sub: z.string().check(z.minLength(1)),
  // Unix seconds. API Gateway passes every claim as a string.
  auth_time: z.string().check(z.regex(/^\d{1,12}$/)),
  token_use: z.literal('access'),
  // Scopes, separated by spaces.
  scope: z.string(),
});

export function userOf(event: APIGatewayProxyEventV2): User {
  const { authorizer } = (event as Partial<APIGatewayProxyEventV2WithJWTAuthorizer>).requestContext ?? {};
  const claims = Claims.safeParse(authorizer?.jwt.claims);
  // The authorizer has checked the token. This check guards a route that was set up without an authorizer.
  if (!claims.success) throw new Refusal('not-signed-in');
  return {
    id: claims.data.sub,
    signedInAt: new Date(Number(claims.data.auth_time) * 1000),
    accessToken: (event.headers['authorization'] ?? '').replace(/^Bearer\s+/i, ''),
    session: String(authorizer?.jwt.claims['origin_jti']),
    isAppToken: !claims.data.scope.split(' ').includes(SITE_SCOPE),
  };
}
