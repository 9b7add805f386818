// What the adapter beside it imports on demand. Of a package that is itself imported on demand, esbuild keeps
// every export, and loading all operations takes longer.
export { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
