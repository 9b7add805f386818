import type { IncomingMessage } from 'node:http';
import type { GatewayRequest } from '../http-api/event.ts';
import type { Behavior } from './behavior.ts';
import { plainHeaders } from './edge-request.ts';
import type { EdgeRequest, EdgeValues } from './function.ts';
import { passes } from './policies.ts';

// Headers that CloudFront sends to the origin under every policy.
const ALWAYS_PASSED = new Set(['content-type', 'content-length']);

const pairs = (values: [string, EdgeValues[string]][]): string[] =>
  values.flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((each) => `${name}=${each.value}`),
  );

/** The request that CloudFront sends to an API, reduced to what the behavior's policies let through. */
export function originRequestOf(
  { caching, originRequest, origin }: Behavior,
  viewerRequest: EdgeRequest,
  request: IncomingMessage,
): GatewayRequest {
  const only = (values: EdgeValues, kind: 'headers' | 'cookies' | 'query') =>
    Object.entries(values).filter(
      ([name]) =>
        (kind === 'headers' && ALWAYS_PASSED.has(name)) || passes([caching[kind], originRequest[kind]], name),
    );
  const query = pairs(only(viewerRequest.querystring, 'query')).join('&');
  const cookie = pairs(only(viewerRequest.cookies, 'cookies')).join('; ');
  return {
    method: viewerRequest.method,
    url: `${origin.path}${viewerRequest.uri}${query && `?${query}`}`,
    headers: {
      'user-agent': 'Amazon CloudFront',
      ...plainHeaders(Object.fromEntries(only(viewerRequest.headers, 'headers'))),
      ...(cookie && { cookie }),
      ...origin.headers,
      via: '2.0 local.cloudfront.net (CloudFront)',
    },
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
    body: request,
  };
}
