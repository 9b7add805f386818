// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export {
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminLinkProviderForUserCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  InvalidParameterException,
  UserNotFoundException,
  paginateListUsers,
} from '@aws-sdk/client-cognito-identity-provider';
