import * as z from 'zod/mini';
import type { StripeSecret } from '../../schemas/config/stripe-secret.ts';
import {
  AppTokensSecret,
  IssuerSecret,
  OAuthClientSecret,
  ProofsSecret,
} from '../../schemas/config/environment.ts';

/** The Stripe secret, from Secrets Manager. */
export async function readStripeSecret(secretId: string): Promise<StripeSecret> {
  // A schema with a list needs more of zod than functions without Stripe load.
  const { StripeSecret: schema } = await import('../../schemas/config/stripe-secret.ts');
  return readSecret(secretId, schema, 'holds no Stripe keys yet');
}

/** Our OAuth client at a provider. */
export const readOAuthClient = (secretId: string): Promise<OAuthClientSecret> =>
  readSecret(secretId, OAuthClientSecret, "holds no provider's keys yet");

/** The client secret that Cognito authenticates with at our own issuer. */
export const readIssuerSecret = (secretId: string): Promise<IssuerSecret> =>
  readSecret(secretId, IssuerSecret, 'is not what the stack makes');

/** The secret that apps' refresh tokens are encrypted with. */
export const readAppTokensSecret = (secretId: string): Promise<AppTokensSecret> =>
  readSecret(secretId, AppTokensSecret, 'is not what the stack makes');

/** The secret that the links of our mails are hashed with. */
export const readProofsSecret = (secretId: string): Promise<ProofsSecret> =>
  readSecret(secretId, ProofsSecret, 'is not what the stack makes');

async function readSecret<S extends z.ZodMiniObject>(
  secretId: string,
  schema: S,
  complaint: string,
): Promise<z.infer<S>> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('./secrets-sdk.ts');
  // As in request-limits.ts. An import would add a file to the cold start of who imports this on demand.
  const requestHandler = { requestTimeout: 3_000, throwOnRequestTimeout: true };
  const { SecretString } = await new SecretsManagerClient({ requestHandler }).send(
    new GetSecretValueCommand({ SecretId: secretId }),
  );
  const secret = z.safeParse(schema, parseJson(SecretString));
  if (!secret.success) {
    const fields = Object.keys(schema.shape).map((name) => `"${name}"`);
    throw new Error(`The secret ${secretId} ${complaint}: put {${fields.join(', ')}} there.`);
  }
  return secret.data;
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
