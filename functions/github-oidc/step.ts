import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Issuer } from './issuer.ts';

/** One endpoint of the issuer. Throws an `OAuthError` where it says no. */
export type Step = (
  issuer: Issuer,
  event: APIGatewayProxyEventV2,
  now: Date,
) => Promise<APIGatewayProxyStructuredResultV2>;
