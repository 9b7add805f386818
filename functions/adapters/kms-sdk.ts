// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
