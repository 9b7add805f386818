import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { GitHub } from '../adapters/github.ts';
import type { SigningKey } from '../adapters/kms.ts';
import type { Cipher } from './cipher.ts';

/** The parts that the steps of a sign-in share: the issuer's address, keys and clients. */
export interface Issuer {
  /** The issuer's name and address, without a trailing slash. The steps are below it. */
  url: string;
  /** The only address that codes are sent to. */
  cognitoCallback: string;
  github: GitHub;
  key: SigningKey;
  secrets: () => Promise<{ clientSecret: string; cipher: Cipher }>;
}

/** The address to which GitHub redirects after a sign-in. Registered at GitHub. */
export const githubCallback = ({ url }: Issuer): string => `${url}/callback`;

/** An endpoint of the issuer. Throws an `OAuthError` to refuse. */
export type Step = (
  issuer: Issuer,
  event: APIGatewayProxyEventV2,
  now: Date,
) => Promise<APIGatewayProxyStructuredResultV2>;
