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
