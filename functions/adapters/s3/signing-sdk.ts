// What the adapter beside it imports on demand. Of a package that is itself imported on demand, esbuild keeps
// every export.
export { SignatureV4 } from '@smithy/signature-v4';
