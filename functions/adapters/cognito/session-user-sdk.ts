// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export {
  ChangePasswordCommand,
  CognitoIdentityProviderClient,
  GetUserCommand,
  InvalidPasswordException,
  LimitExceededException,
  NotAuthorizedException,
  TooManyRequestsException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
