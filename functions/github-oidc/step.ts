import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Issuer } from './issuer.ts';

/** An endpoint of the issuer. Throws an `OAuthError` to refuse. */
export type Step = (
  issuer: Issuer,
  event: APIGatewayProxyEventV2,
  now: Date,
) => Promise<APIGatewayProxyStructuredResultV2>;
