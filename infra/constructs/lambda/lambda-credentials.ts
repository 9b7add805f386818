// In bundles, this file replaces `@aws-sdk/credential-provider-node`, which also looks for credentials in
// profiles, SSO and metadata services. Lambda passes credentials in environment variables.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
