import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** An answer in JSON. Not cached unless `headers` say so. */
export const json = (
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** Redirects the browser. `cookie`: the value of the `Set-Cookie` header. */
export const redirect = (location: string, cookie: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode: 302,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  cookies: [cookie],
});
