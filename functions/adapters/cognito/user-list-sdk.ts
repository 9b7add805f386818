// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export { CognitoIdentityProviderClient, paginateListUsers } from '@aws-sdk/client-cognito-identity-provider';
