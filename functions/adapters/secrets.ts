import { StripeSecret } from '../../schemas/environment.ts';

/** The Stripe secret, from Secrets Manager. */
export async function readStripeSecret(secretId: string): Promise<StripeSecret> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const { SecretString } = await new SecretsManagerClient().send(
    new GetSecretValueCommand({ SecretId: secretId }),
  );
  const secret = StripeSecret.safeParse(parseJson(SecretString));
  if (!secret.success) {
    throw new Error(
      `The secret ${secretId} holds no Stripe keys yet: put {"secretKey", "webhookSecret"} there.`,
    );
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
