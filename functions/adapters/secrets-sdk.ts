// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
