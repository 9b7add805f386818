import { failureOf, serviceSentences, withRequestId } from '../api/service-sentences.ts';
import { triggerSentence } from '../oauth/cognito-message.ts';
import { product } from '../../../schemas/product/product.ts';
import { refusals } from '../../../schemas/refusal.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { CREDENTIALS_MISSING, EMAIL_INVALID } from './credentials.ts';
import { OFFERED_NAMES } from './offered-providers.ts';
import { type Refused, refused } from './outcome.ts';

/** The user's intent. Cognito uses one error name for several failures. */
export type AccountAction =
  | 'sign-in'
  | 'confirm-password'
  | 'sign-up'
  | 'confirm-email'
  | 'resend-code'
  | 'change-name';

export const WENT_WRONG = 'Something went wrong. Please try again. If it happens again, reload this page.';
export const NEEDS_RESET = triggerRefusals.confirmationUnfinished;
export const UNSUPPORTED_STEP = `This account needs a step that isn't offered here. Please write to ${product.supportEmail}.`;
const STORAGE_FAILED =
  "Your browser doesn't let this site store data, which a sign-in needs. If your disk isn't full, this is probably a private window or a browser inside another app: open this page in Safari, Chrome or Firefox.";

const TAKEN = `This address already has an account. Sign in, with ${OFFERED_NAMES} if you made it there, or choose a new password if you forgot yours.`;
const CONFIRMED = 'This address is already confirmed. You can sign in.';
// Cognito may answer so for an address without an account too, so as not to reveal accounts.
const NOTHING_TO_CONFIRM =
  'There is nothing to confirm for this address. Please sign in, or sign up again if that fails.';
const CREDENTIALS_WRONG = 'Incorrect email or password. Check both for a typo, or choose a new password.';
// Cognito gives the same answer for a wrong code, an expired code and the code of a removed account.
const CODE_REFUSED =
  "This code doesn't work, or no longer works. Check it against our newest email, or get a new one below.";
const NO_ACCOUNT = 'There is no account with this address. Check it for a typo, or sign up with it.';
const ACCOUNT_GONE =
  'This account no longer exists. If you deleted it in another browser, you can sign up again.';
const UNCONFIRMED =
  "Please confirm your email address first: sign in with your password, and we'll send you a new code.";
export const SESSION_ENDED = 'Your session has ended. Please sign in again.';
const TOOK_TOO_LONG = 'That took too long. Please try again.';
const TOO_MANY_TRIES = refusals['too-many-tries'].sentence;
/** A mailed link signs in during the lock, too. */
const LOCKED = `${TOO_MANY_TRIES} To get in now, choose a new password.`;
const BLOCKED_ACCOUNT = `This account is blocked. Please write to ${product.supportEmail}.`;
const RESEND_FAILED = 'Failed to resend confirmation email. Please try again.';
const UNDELIVERABLE = `We couldn't send an email to this address. Check it for a typo, or use another address.`;
const NO_MAIL_NOW = `We can't send email right now. Please try again later.`;
const PASSWORD_USED = 'You have used this password before. Please choose another.';

interface Thrown {
  /** Cognito's message, in English. */
  message: string;
  action: AccountAction;
}

/** Null if the error doesn't say enough. Then the sentence names the request. */
type Rule = string | ((thrown: Thrown) => string | null);

/** A failure at Cognito or in our settings, after which the user can only try again. */
const OURS: Rule = () => null;

function notAuthorized({ message, action }: Thrown): string | null {
  if (/attempts exceeded/i.test(message)) return LOCKED;
  if (/is disabled/i.test(message)) return BLOCKED_ACCOUNT;
  if (/^invalid session/i.test(message)) return TOOK_TOO_LONG;
  if (/cannot be confirmed.*\bCONFIRMED$/i.test(message)) return CONFIRMED;
  if (/\btoken\b/i.test(message)) return SESSION_ENDED;
  if (!/incorrect username or password/i.test(message)) return null;
  return action === 'confirm-password' ? refusals['wrong-password'].sentence : CREDENTIALS_WRONG;
}

function invalidParameter({ message, action }: Thrown): string | null {
  if (/already confirmed/i.test(message)) return NOTHING_TO_CONFIRM;
  if (/at 'confirmationCode'/i.test(message)) return CODE_REFUSED;
  if (/at 'password'/i.test(message)) return refusals['weak-password'].sentence;
  if (/should be an email|email address format|schema: email|at 'username'/i.test(message)) {
    return EMAIL_INVALID;
  }
  if (/schema: name/i.test(message) || (action === 'change-name' && /at 'userAttributes/i.test(message))) {
    return refusals['name-too-long'].sentence;
  }
  return null;
}

function userNotFound({ action }: Thrown): string {
  switch (action) {
    case 'sign-in':
      return CREDENTIALS_WRONG;
    case 'confirm-email':
      return CODE_REFUSED;
    case 'confirm-password':
    case 'change-name':
      return ACCOUNT_GONE;
    default:
      return NO_ACCOUNT;
  }
}

function refusedByTrigger({ message }: Thrown): string | null {
  const sentence = triggerSentence(message);
  return sentence === triggerRefusals.addressTaken ? TAKEN : sentence;
}

// A map, because an error's name comes from an answer and may be `constructor`.
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  // Cognito's errors, as its API reference documents them for the operations that the site calls.
  ['AliasExistsException', TAKEN],
  ['CodeDeliveryFailureException', UNDELIVERABLE],
  ['CodeMismatchException', CODE_REFUSED],
  ['ExpiredCodeException', CODE_REFUSED],
  ['FeatureUnavailableInTierException', OURS],
  ['ForbiddenException', serviceSentences.blocked],
  ['InternalErrorException', OURS],
  ['InvalidEmailRoleAccessPolicyException', NO_MAIL_NOW],
  ['InvalidLambdaResponseException', OURS],
  ['InvalidParameterException', invalidParameter],
  ['InvalidPasswordException', refusals['weak-password'].sentence],
  ['InvalidSmsRoleAccessPolicyException', OURS],
  ['InvalidSmsRoleTrustRelationshipException', OURS],
  ['InvalidUserPoolConfigurationException', OURS],
  ['LimitExceededException', ({ message }) => (/daily email/i.test(message) ? NO_MAIL_NOW : TOO_MANY_TRIES)],
  ['MFAMethodNotFoundException', OURS],
  ['NotAuthorizedException', notAuthorized],
  ['OperationNotEnabledException', OURS],
  ['PasswordHistoryPolicyViolationException', PASSWORD_USED],
  ['PasswordResetRequiredException', NEEDS_RESET],
  ['RefreshTokenReuseException', SESSION_ENDED],
  ['ResourceNotFoundException', OURS],
  ['SoftwareTokenMFANotFoundException', OURS],
  ['TooManyFailedAttemptsException', TOO_MANY_TRIES],
  ['TooManyRequestsException', serviceSentences.throttled],
  ['UnauthorizedException', OURS],
  ['UnexpectedLambdaException', OURS],
  ['UnsupportedOperationException', OURS],
  ['UnsupportedTokenTypeException', OURS],
  ['UserLambdaValidationException', refusedByTrigger],
  ['UserNotConfirmedException', UNCONFIRMED],
  ['UserNotFoundException', userNotFound],
  ['UsernameExistsException', TAKEN],
  // The common errors of AWS services.
  ['ThrottlingException', serviceSentences.throttled],
  ['RequestEntityTooLargeException', serviceSentences['too-large']],
  // Errors of Amplify's sign-in itself, before or instead of a request.
  ['EmptySignInPassword', CREDENTIALS_MISSING],
  ['EmptySignInUsername', CREDENTIALS_MISSING],
  ['NetworkError', serviceSentences.unreachable],
  ['UnexpectedSignInInterruptionException', WENT_WRONG],
  // Errors of the browser: storage that is forbidden or full, an aborted request, an answer in HTML.
  ['QuotaExceededError', STORAGE_FAILED],
  ['SecurityError', STORAGE_FAILED],
  ['AbortError', serviceSentences.unreachable],
  ['TimeoutError', serviceSentences.unreachable],
  ['SyntaxError', serviceSentences.unreadable],
]);

/** The sentence for the user about a failure. Never the error's own message, which is for developers. */
export function authSentence(error: unknown, action: AccountAction): string {
  if (!(error instanceof Error)) return WENT_WRONG;
  const { requestId, httpStatusCode } = metadataOf(error);
  const rule = rules.get(error.name);
  const sentence = typeof rule === 'function' ? rule({ message: error.message, action }) : rule;
  if (typeof sentence === 'string') return sentence;
  return withRequestId(unexplained(action, rule !== undefined, httpStatusCode), requestId);
}

/** The refusal that an error of Cognito or Amplify stands for. */
export const refusedBy = (error: unknown, action: AccountAction): Refused =>
  refused(authSentence(error, action));

/** The sentence for an error that doesn't say enough, and whose name may be unknown. */
function unexplained(action: AccountAction, isKnown: boolean, status: number | undefined): string {
  if (action === 'resend-code') return RESEND_FAILED;
  if (isKnown) return serviceSentences.internal;
  const failure = status === undefined ? 'bad-request' : failureOf(status);
  return failure === 'bad-request' ? WENT_WRONG : serviceSentences[failure];
}

/** Whether a trigger refused with this sentence. */
export const isRefusedByTrigger = (error: unknown, sentence: string): boolean =>
  error instanceof Error &&
  error.name === 'UserLambdaValidationException' &&
  triggerSentence(error.message) === sentence;

/** The metadata that Amplify keeps of an answer. */
function metadataOf(error: Error): { requestId?: string; httpStatusCode?: number } {
  const metadata: unknown = 'metadata' in error ? error.metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null) return {};
  const requestId: unknown = 'requestId' in metadata ? metadata.requestId : undefined;
  const httpStatusCode: unknown = 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined;
  return {
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof httpStatusCode === 'number' && { httpStatusCode }),
  };
}
