/** Errors of Cognito's API that the stand-in uses, with their HTTP status. Source: the API reference. */
const statuses = {
  AliasExistsException: 400,
  CodeMismatchException: 400,
  ExpiredCodeException: 400,
  ForbiddenException: 400,
  InternalErrorException: 500,
  InvalidLambdaResponseException: 400,
  InvalidParameterException: 400,
  InvalidPasswordException: 400,
  LimitExceededException: 400,
  MissingAuthenticationTokenException: 400,
  NotAuthorizedException: 400,
  RefreshTokenReuseException: 400,
  RequestEntityTooLargeException: 413,
  ResourceNotFoundException: 400,
  SerializationException: 400,
  UnauthorizedException: 400,
  UnexpectedLambdaException: 400,
  UnknownOperationException: 400,
  UnsupportedTokenTypeException: 400,
  UserLambdaValidationException: 400,
  UserNotConfirmedException: 400,
  UserNotFoundException: 400,
  UsernameExistsException: 400,
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

export const emailTaken = (type: 'UsernameExistsException' | 'AliasExistsException'): CognitoError =>
  new CognitoError(type, 'An account with the given email already exists.');

/** The error of operations that identify the user by an access token or by an administrator's request. */
export const userDoesNotExist = (): CognitoError =>
  new CognitoError('UserNotFoundException', 'User does not exist.');
