import type { IncomingMessage } from 'node:http';
import type { GatewayRequest } from '../http-api/event.ts';
import type { Behavior } from './behavior.ts';
import { plainHeaders } from './edge-request.ts';
import type { EdgeRequest, EdgeValues } from './function.ts';

// Headers that CloudFront sends to the origin under every policy.
const ALWAYS_PASSED = new Set(['content-type', 'content-length']);

const pairs = (values: [string, EdgeValues[string]][]): string[] =>
  values.flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((each) => `${name}=${each.value}`),
  );

/** The request that CloudFront sends to an API, reduced to what the behavior's policy lets through. */
export function originRequestOf(
  { forwards, origin }: Behavior,
  viewerRequest: EdgeRequest,
  request: IncomingMessage,
): GatewayRequest {
  const passed = (values: EdgeValues): [string, EdgeValues[string]][] =>
    forwards ? Object.entries(values) : [];
  const headers = Object.entries(viewerRequest.headers).filter(
    ([name]) => ALWAYS_PASSED.has(name) || (forwards && name !== 'host'),
  );
  const query = pairs(passed(viewerRequest.querystring)).join('&');
  const cookie = pairs(passed(viewerRequest.cookies)).join('; ');
  return {
    method: viewerRequest.method,
    url: `${origin.path}${viewerRequest.uri}${query && `?${query}`}`,
    headers: {
      'user-agent': 'Amazon CloudFront',
      ...plainHeaders(Object.fromEntries(headers)),
      ...(cookie && { cookie }),
      ...origin.headers,
      via: '2.0 local.cloudfront.net (CloudFront)',
    },
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
    body: request,
  };
}
