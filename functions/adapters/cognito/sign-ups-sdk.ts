// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export {
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  CodeMismatchException,
  CognitoIdentityProviderClient,
  ConfirmSignUpCommand,
  ExpiredCodeException,
  LimitExceededException,
  NotAuthorizedException,
  TooManyFailedAttemptsException,
  TooManyRequestsException,
  UserLambdaValidationException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
