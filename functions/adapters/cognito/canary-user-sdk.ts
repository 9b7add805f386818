// What the adapter beside it imports on demand. Of a package that is itself imported on demand, esbuild keeps
// every export, and loading a hundred operations takes longer.
export {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  NotAuthorizedException,
  UsernameExistsException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
