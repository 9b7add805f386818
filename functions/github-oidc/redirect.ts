import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** Redirects the browser. `cookie`: the value of the `Set-Cookie` header. */
export const redirect = (location: string, cookie: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode: 302,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  cookies: [cookie],
});
