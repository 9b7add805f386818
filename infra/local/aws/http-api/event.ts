import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ACCOUNT } from '../../stack/resource-type.ts';

export interface GatewayRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  sourceIp: string;
  body: AsyncIterable<Buffer>;
}

/** The claims and scopes that the JWT authorizer read from the token. */
export interface Authorized {
  claims: Record<string, string>;
  /** The token's scopes. Null if the route requires no scope. */
  scopes: string[] | null;
}

/** The event for a function, in payload format 2.0. */
export function eventOf({
  request,
  body,
  routeKey,
  pathParameters,
  apiId,
  domainName,
  stage,
  requestId,
  now,
  authorized,
}: {
  request: GatewayRequest;
  body: Buffer;
  routeKey: string;
  pathParameters: Record<string, string>;
  apiId: string;
  domainName: string;
  stage: string;
  requestId: string;
  now: Date;
  authorized: Authorized | undefined;
}): APIGatewayProxyEventV2 {
  const [rawPath, rawQueryString] = splitOnce(request.url, '?');
  const { cookie, ...headers } = request.headers;
  const query = new URLSearchParams(rawQueryString);
  const { sourceIp } = request;
  const isText = isTextType(headers['content-type']);
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers: {
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(',') : value,
        ]),
      ),
      host: domainName,
      'x-amzn-trace-id': `Root=1-${Math.floor(now.getTime() / 1000).toString(16)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      'x-forwarded-for': sourceIp,
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    ...(rawQueryString !== '' && {
      queryStringParameters: Object.fromEntries(
        [...new Set(query.keys())].map((name) => [name, query.getAll(name).join(',')]),
      ),
    }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId,
      domainName,
      domainPrefix: apiId,
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage,
      time: commonLogTime(now),
      timeEpoch: now.getTime(),
      ...(authorized && { authorizer: { jwt: authorized } }),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/**
 * Whether API Gateway passes a body on as text. All other bodies, including forms, are encoded in base64:
 * measured against AWS in https://github.com/ministackorg/ministack/pull/766.
 */
function isTextType(contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type.startsWith('text/') || /^application\/(json|xml|javascript)$/.test(type);
}

// 07/Aug/2026:01:37:53 +0000
function commonLogTime(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export interface GatewayAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

// Headers of a single connection, which API Gateway sets itself.
const HOP_BY_HOP = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The HTTP answer in a result, which is the body of a 200 without `statusCode`. Undefined if unreadable. */
export function answerOf(returned: unknown): GatewayAnswer | undefined {
  if (typeof returned !== 'object' || returned === null || !('statusCode' in returned)) {
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(typeof returned === 'string' ? returned : JSON.stringify(returned)),
    };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } =
    returned as APIGatewayProxyStructuredResultV2;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (body !== undefined && typeof body !== 'string') return undefined;
  return {
    status,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...Object.fromEntries(
        Object.entries(headers ?? {})
          .map(([name, value]) => [name.toLowerCase(), String(value)])
          .filter(([name = '']) => !HOP_BY_HOP.has(name)),
      ),
      ...(cookies && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}
