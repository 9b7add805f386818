import {
  CreateSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** A secret's value, as JSON, and the id of its version. */
export interface StoredSecret {
  value: Record<string, unknown>;
  version: string;
}

/**
 * The value of a secret. `undefined` if there is none; `'deleted'` while Secrets Manager still keeps a
 * deleted secret, for 7 to 30 days.
 */
export async function readSecret(
  client: SecretsManagerClient,
  name: string,
): Promise<StoredSecret | 'deleted' | undefined> {
  try {
    const { SecretString, VersionId = '' } = await client.send(new GetSecretValueCommand({ SecretId: name }));
    return { value: objectIn(SecretString), version: VersionId };
  } catch (thrown) {
    if (thrown instanceof ResourceNotFoundException) return undefined;
    // "You can't perform this operation on the secret because it was marked for deletion."
    if (thrown instanceof InvalidRequestException && /marked.* for deletion|deleted/.test(thrown.message)) {
      return 'deleted';
    }
    throw thrown;
  }
}

/** Stores `value`. Creates the secret, or restores a deleted secret. */
export async function writeSecret(
  client: SecretsManagerClient,
  name: string,
  value: Record<string, unknown>,
): Promise<void> {
  const SecretString = JSON.stringify(value);
  const existing = await readSecret(client, name);
  if (existing === undefined) {
    const Description =
      'Keys that a vendor has issued. `npm run ops -- secrets` writes it; no stack owns it.';
    await client.send(new CreateSecretCommand({ Name: name, SecretString, Description }));
    return;
  }
  if (existing === 'deleted') await client.send(new RestoreSecretCommand({ SecretId: name }));
  await client.send(new PutSecretValueCommand({ SecretId: name, SecretString }));
}

function objectIn(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
