// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export {
  CognitoIdentityProviderClient,
  GetUserCommand,
  NotAuthorizedException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
