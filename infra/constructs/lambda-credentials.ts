// In bundles, this file replaces `@aws-sdk/credential-provider-node`, which also looks for credentials in
// profiles, in SSO and at metadata services. Lambda gives them in environment variables.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
