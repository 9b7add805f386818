import * as z from 'zod/mini';
import type { StripeSecret } from '../../schemas/config/stripe-secret.ts';
import { IssuerSecret, KeySecret, OAuthClientSecret } from '../../schemas/config/environment.ts';

export async function readStripeSecret(secretId: string): Promise<StripeSecret> {
  // A schema with a list needs more of zod than functions without Stripe load.
  const { StripeSecret: schema } = await import('../../schemas/config/stripe-secret.ts');
  return readSecret(secretId, schema, 'holds no Stripe keys yet');
}

export const readOAuthClient = (secretId: string) =>
  readSecret(secretId, OAuthClientSecret, "holds no provider's keys yet");

/** The client secret that Cognito authenticates with at our own issuer. */
export const readIssuerSecret = (secretId: string) => readSecret(secretId, IssuerSecret);

export const readKeySecret = (secretId: string) => readSecret(secretId, KeySecret);

async function readSecret<S extends z.ZodMiniObject>(
  secretId: string,
  schema: S,
  complaint = 'is not what the stack makes',
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
