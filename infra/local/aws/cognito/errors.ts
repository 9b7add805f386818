import type { UserPoolSettings } from './settings.ts';

/**
 * The errors of Cognito's API that the stand-in uses, each with its HTTP status. Source: the API reference.
 */
const statuses = {
  AliasExistsException: 400,
  CodeMismatchException: 400,
  ExpiredCodeException: 400,
  InternalErrorException: 500,
  InvalidLambdaResponseException: 400,
  InvalidParameterException: 400,
  InvalidPasswordException: 400,
  InvalidUserPoolConfigurationException: 400,
  LimitExceededException: 400,
  MissingAuthenticationTokenException: 400,
  NotAuthorizedException: 400,
  PasswordResetRequiredException: 400,
  RefreshTokenReuseException: 400,
  RequestEntityTooLargeException: 413,
  ResourceNotFoundException: 400,
  SerializationException: 400,
  SoftwareTokenMFANotFoundException: 400,
  UnauthorizedException: 400,
  UnexpectedLambdaException: 400,
  UnknownOperationException: 400,
  UnsupportedTokenTypeException: 400,
  UserLambdaValidationException: 400,
  UserNotConfirmedException: 400,
  UserNotFoundException: 400,
  UsernameExistsException: 400,
  WebAuthnNotEnabledException: 400,
} as const satisfies Record<string, number>;

type CognitoErrorType = keyof typeof statuses;

/** A refusal in Cognito's own words. The caller gets type and message unchanged. */
export class CognitoError extends Error {
  readonly type: CognitoErrorType;

  constructor(type: CognitoErrorType, message: string) {
    super(message);
    this.type = type;
  }

  get status(): number {
    return statuses[this.type];
  }
}

export const invalidParameter = (message: string): CognitoError =>
  new CognitoError('InvalidParameterException', message);

export const notAuthorized = (message: string): CognitoError =>
  new CognitoError('NotAuthorizedException', message);

/** The same error for a wrong password and for a user who doesn't exist. */
export const incorrectUsernameOrPassword = (): CognitoError =>
  notAuthorized('Incorrect username or password.');

/**
 * A disabled user can't sign in, and "will not be able to override this by resetting password"
 * (amazon-cognito-identity-js issue 373, which has type and message; with the full stop in amplify-js issue
 * 5503). To a client that hides which users exist, a reset is answered as for an unknown user: "Managing user
 * existence error responses".
 */
export function refuseDisabled({ disabled = false }: { disabled?: boolean | undefined }): void {
  if (disabled) throw notAuthorized('User is disabled.');
}

/**
 * Refuses a reset in a pool with account recovery `admin_only`, which "prevents self-service account
 * recovery" (RecoveryOptionType). ForgotPassword and AdminResetUserPassword: "your user pool must have
 * self-service account recovery configured". Type and message: `_get_code_delivery_details` of moto, which
 * answers so for unknown users too. AWS's documents name neither.
 */
export function refuseWithoutRecovery({ settings }: { settings: UserPoolSettings }): void {
  if (settings.AccountRecoverySetting?.RecoveryMechanisms[0].Name === 'admin_only') {
    throw notAuthorized('Contact administrator to reset password.');
  }
}

export const emailTaken = (type: 'UsernameExistsException' | 'AliasExistsException'): CognitoError =>
  new CognitoError(type, 'An account with the given email already exists.');

/** The error of operations that identify the user by an access token or by an administrator's request. */
export const userDoesNotExist = (): CognitoError =>
  new CognitoError('UserNotFoundException', 'User does not exist.');

/** The error of public operations, if the client doesn't hide which users exist. */
export const usernameNotFound = (): CognitoError =>
  new CognitoError('UserNotFoundException', 'Username/client id combination not found.');
