import { serviceSentences } from '../../../../../web/src/api/service-sentences.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { product } from '../../../../../schemas/product/product.ts';
import { defaultProviders, namesOf } from '../../../../../schemas/product/providers.ts';
import { refusals } from '../../../../../schemas/refusal.ts';
import { triggerRefusals } from '../../../../../schemas/trigger-refusals.ts';
import {
  type AccountAction,
  authSentence,
  WENT_WRONG,
} from '../../../../../web/src/account/auth-sentence.ts';

/** The operations of Cognito that Amplify calls for each action. */
const operations: Record<AccountAction, readonly string[]> = {
  'sign-in': ['InitiateAuth', 'RespondToAuthChallenge'],
  'confirm-password': ['InitiateAuth', 'RespondToAuthChallenge'],
  'sign-up': ['SignUp'],
  'confirm-email': ['ConfirmSignUp'],
  'resend-code': ['ResendConfirmationCode'],
  'change-name': ['UpdateUserAttributes', 'GetTokensFromRefreshToken'],
};
const actions = Object.keys(operations) as AccountAction[];

/** The exceptions that AWS documents for an operation, from the SDK that is generated from its model. */
function documentedFor(operation: string): string[] {
  const types = import.meta.resolve('@aws-sdk/client-cognito-identity-provider/package.json');
  const file = new URL(`dist-types/commands/${operation}Command.d.ts`, types);
  const names = [...readFileSync(file, 'utf8').matchAll(/@throws \{@link (\w+Exception)\}/g)];
  return names.map(([, name = '']) => name).filter((name) => !name.endsWith('ServiceException'));
}

const TAKEN = `This address already has an account. Sign in, with ${namesOf(defaultProviders)} if you made it there, or choose a new password if you forgot yours.`;
const CONFIRMED = 'This address is already confirmed. You can sign in.';
const CREDENTIALS = 'Incorrect email or password. Check both for a typo, or choose a new password.';
const MISSING = 'You must provide either an email or phone number and a password.';
const EMAIL = 'Please enter a valid email address.';
const CODE =
  "This code doesn't work, or no longer works. Check it against our newest email, or get a new one below.";
const ENDED = 'Your session has ended. Please sign in again.';
const TRIES = refusals['too-many-tries'].sentence;
const AT_ONCE = 'Too many requests. Please try again in a moment.';
const OURS = refusals.internal.sentence;
const RESEND_FAILED = 'Failed to resend confirmation email. Please try again.';
const WEAK = refusals['weak-password'].sentence;
const NO_MAIL = "We can't send email right now. Please try again later.";
const GONE = 'This account no longer exists. If you deleted it in another browser, you can sign up again.';
const NO_ACCOUNT = 'There is no account with this address. Check it for a typo, or sign up with it.';
const NEEDS_RESET = 'This password has to be replaced before you can sign in: press "Forgot your password?".';
const UNCONFIRMED =
  "Please confirm your email address first: sign in with your password, and we'll send you a new code.";
const UNDELIVERABLE =
  "We couldn't send an email to this address. Check it for a typo, or use another address.";
const DISABLED = `This account is blocked. Please write to ${product.supportEmail}.`;
const NOTHING_TO_CONFIRM =
  'There is nothing to confirm for this address. Please sign in, or sign up again if that fails.';
const USED = 'You have used this password before. Please choose another.';
const LONG_NAME = refusals['name-too-long'].sentence;
const PROVED = triggerRefusals.addressProved;
const UNREADABLE = serviceSentences.unreadable;
const BLOCKED =
  'Your request was stopped before it reached us. Please try again in a few minutes, without a VPN or proxy if you use one.';

const signingIn: AccountAction[] = ['sign-in', 'confirm-password'];
const sending: AccountAction[] = ['sign-up', 'resend-code', 'change-name'];
const but = (...excluded: AccountAction[]) => actions.filter((action) => !excluded.includes(action));

/** A message with which an error comes, during which actions, and the sentence that the user reads. */
type Said = readonly [message: string, during: AccountAction[], sentence: string];
type Table = Readonly<Record<string, readonly Said[]>>;

/** Cognito's message about a value that doesn't fit its model. */
const invalid = (field: string, rule: string): string =>
  `1 validation error detected: Value at '${field}' failed to satisfy constraint: Member must ${rule}`;
const PATTERN = 'satisfy regular expression pattern: [\\S]+';

/** Faults of Cognito or of our settings. The user can only try again. */
const oursAlone: Table = Object.fromEntries(
  [
    'FeatureUnavailableInTierException',
    'InternalErrorException',
    'InvalidLambdaResponseException',
    'InvalidSmsRoleAccessPolicyException',
    'InvalidSmsRoleTrustRelationshipException',
    'InvalidUserPoolConfigurationException',
    'MFAMethodNotFoundException',
    'OperationNotEnabledException',
    'ResourceNotFoundException',
    'SoftwareTokenMFANotFoundException',
    'UnexpectedLambdaException',
    'UnsupportedOperationException',
  ].map((name): [string, readonly Said[]] => [
    name,
    [
      ['Internal detail of us-east-1_pool.', but('resend-code'), OURS],
      ['Internal detail of us-east-1_pool.', ['resend-code'], RESEND_FAILED],
    ],
  ]),
);

const cognito: Table = {
  ...oursAlone,
  AliasExistsException: [['An account with the given email already exists.', actions, TAKEN]],
  CodeDeliveryFailureException: [['Unable to deliver message', sending, UNDELIVERABLE]],
  CodeMismatchException: [
    ['Invalid verification code provided, please try again.', ['confirm-email'], CODE],
    ['Invalid code or auth state for the user.', [...signingIn, 'change-name'], CODE],
  ],
  ExpiredCodeException: [
    ['Invalid code provided, please request a code again.', ['confirm-email'], CODE],
    ['The code has expired.', [...signingIn, 'change-name'], CODE],
  ],
  ForbiddenException: [['Request not allowed due to WAF block.', actions, BLOCKED]],
  InvalidEmailRoleAccessPolicyException: [['No permission to send mail.', actions, NO_MAIL]],
  InvalidPasswordException: [
    ['Password did not conform with policy: Password not long enough', actions, WEAK],
  ],
  LimitExceededException: [
    ['Attempt limit exceeded, please try after some time.', actions, TRIES],
    ['Exceeded daily email limit for the operation or the account.', sending, NO_MAIL],
  ],
  NotAuthorizedException: [
    ['Incorrect username or password.', ['sign-in'], CREDENTIALS],
    ['Incorrect username or password.', ['confirm-password'], refusals['wrong-password'].sentence],
    ['Password attempts exceeded', signingIn, `${TRIES} To get in now, choose a new password.`],
    ['User is disabled.', but('sign-up'), DISABLED],
    ['Invalid session for the user, session is expired.', signingIn, 'That took too long. Please try again.'],
    ['SignUp is not permitted for this user pool', ['sign-up'], OURS],
    ['User cannot be confirmed. Current status is CONFIRMED', ['confirm-email'], CONFIRMED],
    ['User cannot be confirmed. Current status is ARCHIVED', ['confirm-email'], OURS],
    ['Access Token has been revoked', ['change-name'], ENDED],
    ['Access Token has expired', ['change-name'], ENDED],
    ['Refresh Token has been revoked', ['change-name'], ENDED],
    ['A client attempted to write unauthorized attribute', ['change-name'], OURS],
  ],
  InvalidParameterException: [
    ['Username should be an email.', ['sign-up'], EMAIL],
    ['Invalid email address format.', ['sign-up'], EMAIL],
    [invalid('username', 'have length less than or equal to 128'), actions, EMAIL],
    [invalid('password', 'satisfy regular expression pattern: ^[\\S]+.*[\\S]+$'), ['sign-up'], WEAK],
    [invalid('confirmationCode', PATTERN), ['confirm-email'], CODE],
    [
      invalid('userAttributes.1.member.value', 'have length less than or equal to 2048'),
      ['change-name'],
      LONG_NAME,
    ],
    [
      'Attributes did not conform to the schema: name: String must be no longer than 100 characters',
      ['sign-up', 'change-name'],
      LONG_NAME,
    ],
    ['User is already confirmed.', ['resend-code'], NOTHING_TO_CONFIRM],
    ['USER_PASSWORD_AUTH flow not enabled for this client', signingIn, OURS],
  ],
  PasswordHistoryPolicyViolationException: [['Password has previously been used.', actions, USED]],
  PasswordResetRequiredException: [['Password reset required for the user', actions, NEEDS_RESET]],
  RefreshTokenReuseException: [['Refresh token has been invalidated by rotation.', actions, ENDED]],
  TooManyFailedAttemptsException: [['Too many failed attempts.', actions, TRIES]],
  TooManyRequestsException: [['Rate exceeded', actions, AT_ONCE]],
  UserLambdaValidationException: [
    [`PreSignUp failed with error ${triggerRefusals.addressTaken}.`, ['sign-up'], TAKEN],
    [`PostConfirmation failed with error ${PROVED}.`, ['confirm-email'], PROVED],
    [`CustomMessage failed with error ${OURS}.`, ['resend-code'], OURS],
    [
      'PreSignUp failed with error RequestId: 1f3a Error: Runtime exited with error: exit status 1.',
      but('resend-code'),
      OURS,
    ],
  ],
  UserNotConfirmedException: [['User is not confirmed.', actions, UNCONFIRMED]],
  UserNotFoundException: [
    ['User does not exist.', ['sign-in'], CREDENTIALS],
    ['User does not exist.', ['confirm-password', 'change-name'], GONE],
    ['Username/client id combination not found.', ['confirm-email'], CODE],
    ['Username/client id combination not found.', ['resend-code'], NO_ACCOUNT],
  ],
  UsernameExistsException: [['An account with the given email already exists.', ['sign-up'], TAKEN]],
  // AWS's common errors.
  ThrottlingException: [['Rate exceeded', actions, AT_ONCE]],
  RequestEntityTooLargeException: [['Request is too large.', actions, serviceSentences['too-large']]],
};

const UNREACHABLE = serviceSentences.unreachable;
const STORAGE =
  "Your browser doesn't let this site store data, which a sign-in needs. If your disk isn't full, this is probably a private window or a browser inside another app: open this page in Safari, Chrome or Firefox.";

const amplifyAndBrowser: Table = {
  EmptySignInUsername: [['username is required to signIn', ['sign-in'], MISSING]],
  EmptySignInPassword: [['password is required to signIn', signingIn, MISSING]],
  NetworkError: [['A network error has occurred.', actions, UNREACHABLE]],
  UnexpectedSignInInterruptionException: [['Unexpected sign in interruption', ['sign-in'], WENT_WRONG]],
  AuthUserPoolException: [['Auth UserPool not configured.', ['sign-in'], WENT_WRONG]],
  QuotaExceededError: [["Setting the value of 'x' exceeded the quota.", actions, STORAGE]],
  SecurityError: [['Access is denied for this document.', actions, STORAGE]],
  TimeoutError: [['signal timed out', actions, UNREACHABLE]],
  AbortError: [['The operation was aborted.', actions, UNREACHABLE]],
  SyntaxError: [[`Unexpected token '<', "<!doctype "... is not valid JSON`, actions, UNREADABLE]],
  TypeError: [["Cannot read properties of undefined (reading 'request')", but('resend-code'), WENT_WRONG]],
};

/** An error as Amplify makes it of Cognito's answer. */
const thrown = (name: string, message: string, metadata?: { requestId?: string; httpStatusCode?: number }) =>
  Object.assign(new Error(message), { name, ...(metadata && { metadata }) });

describe('what the user reads', () => {
  const rows = [cognito, amplifyAndBrowser].flatMap((table) =>
    Object.entries(table).flatMap(([name, said]) => said.map((each) => [name, ...each] as const)),
  );
  test.each(rows)('of %s, %j, during %j is %j', (name, message, during, told) => {
    for (const action of during) {
      expect([action, authSentence(thrown(name, message), action)]).toEqual([action, told]);
    }
  });

  test.each(actions)('is in the table for every exception that AWS documents for %s', (action) => {
    const listed = new Set(
      Object.keys(cognito).filter((name) => cognito[name]?.some(([, during]) => during.includes(action))),
    );
    const documented = operations[action].flatMap(documentedFor);
    expect(documented).toContain('TooManyRequestsException');
    expect(documented.filter((name) => !listed.has(name))).toEqual([]);
  });

  test.each([thrown('constructor', ''), 'Failed to fetch'])(
    'of an error named like a property of every object, or of no error, is that something went wrong',
    (error) => expect(authSentence(error, 'sign-in')).toBe(WENT_WRONG),
  );
});

describe('an error that explains nothing', () => {
  const byId = ` If this keeps happening, write to ${product.supportEmail} and mention the request 1f3a-77.`;

  test.each([
    ['ANewException', 400, WENT_WRONG],
    ['InternalErrorException', 500, OURS],
    ['NotAuthorizedException', 400, OURS],
    ['UnknownError', 403, BLOCKED],
    ['UnknownError', 502, 'Our server is not answering right now. Please try again in a moment.'],
  ])('like %s with status %i names the request', (name, httpStatusCode, sentence) => {
    const error = thrown(name, 'Detail.', { requestId: '1f3a-77', httpStatusCode });
    expect(authSentence(error, 'sign-in')).toBe(sentence + byId);
  });

  test('names the request of a failed resending too, after its own sentence', () => {
    const error = thrown('InvalidParameterException', '', { requestId: '1f3a-77', httpStatusCode: 400 });
    expect(authSentence(error, 'resend-code')).toBe(RESEND_FAILED + byId);
  });

  test.each([undefined, '', '<b>1</b>', 'Call 555-0100', 'a'.repeat(101)])(
    'shows no id that is none: %j',
    (requestId) => {
      const error = thrown('ANewException', '', { ...(requestId !== undefined && { requestId }) });
      expect(authSentence(error, 'sign-in')).toBe(WENT_WRONG);
    },
  );
});
