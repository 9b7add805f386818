// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export {
  AdminConfirmSignUpCommand,
  AdminCreateUserCommand,
  AdminDisableProviderForUserCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  AliasExistsException,
  CognitoIdentityProviderClient,
  InvalidPasswordException,
  NotAuthorizedException,
  UserLambdaValidationException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
