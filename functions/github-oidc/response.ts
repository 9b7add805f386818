import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** An answer in JSON, which nobody keeps unless `headers` say so. */
export const json = (
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** Sends the browser on. `cookie`: one to set, as its header is written. */
export const redirect = (location: string, cookie: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode: 302,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  cookies: [cookie],
});
