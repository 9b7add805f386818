/** The errors of Cognito's API that the stand-in answers with, and the HTTP status of each. */
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

/** A refusal as Cognito words it: type and message go to the caller as they are. */
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

/** The same answer for a wrong password and for a user who doesn't exist. */
export const incorrectUsernameOrPassword = (): CognitoError =>
  new CognitoError('NotAuthorizedException', 'Incorrect username or password.');

export const emailTaken = (type: 'UsernameExistsException' | 'AliasExistsException'): CognitoError =>
  new CognitoError(type, 'An account with the given email already exists.');

/** Of operations that name a user by an access token or an administrator's choice. */
export const userDoesNotExist = (): CognitoError =>
  new CognitoError('UserNotFoundException', 'User does not exist.');

/** Of operations that anybody may call, at a client that doesn't hide who has an account. */
export const usernameNotFound = (): CognitoError =>
  new CognitoError('UserNotFoundException', 'Username/client id combination not found.');
