// What the adapter beside it imports on demand. Of a package that is itself imported on demand, esbuild keeps
// every export, and loading a hundred operations takes longer.
export { CognitoIdentityProviderClient, paginateListUsers } from '@aws-sdk/client-cognito-identity-provider';
