import { product } from '../../../schemas/product/product.ts';
import { refusals } from '../../../schemas/refusal.ts';

/** Sentences for an answer that isn't a refusal of our API, and for a missing answer. */
export const serviceSentences = {
  'bad-request': refusals['bad-request'].sentence,
  'not-signed-in': refusals['not-signed-in'].sentence,
  blocked:
    'Your request was stopped before it reached us. Please try again in a few minutes, without a VPN or proxy if you use one.',
  missing: 'What this page asked for is not there. The page may be out of date: please reload it.',
  'too-large': `${refusals['too-large'].sentence} Shorten what you typed, or clear this site's cookies in your browser's settings.`,
  throttled: 'Too many requests. Please try again in a moment.',
  internal: refusals.internal.sentence,
  down: 'Our server is not answering right now. Please try again in a moment.',
  unreachable:
    "We couldn't reach the server. Please check your connection and try again. If other sites work, an extension, a VPN or your network's filter may be blocking this one.",
  unreadable:
    "We couldn't read the server's answer. If this network wants you to sign in or to accept its terms, as in hotels and trains, do that in another tab. Otherwise please try again in a moment.",
} as const;

export type ServiceFailure = keyof typeof serviceSentences;

/**
 * The statuses with which CloudFront, its firewall, API Gateway and Cognito answer by themselves. 494 is
 * CloudFront's for headers that are too large. 401 says nothing about the session, which only our own refusal
 * ends. 503 and 504 also mean that a function took too long; whether the function finished is unknown.
 */
const failures = new Map<number, ServiceFailure>([
  [400, 'bad-request'],
  [401, 'down'],
  [403, 'blocked'],
  [404, 'missing'],
  [413, 'too-large'],
  [414, 'too-large'],
  [429, 'throttled'],
  [431, 'too-large'],
  [494, 'too-large'],
  [500, 'internal'],
  [502, 'down'],
  [503, 'down'],
  [504, 'down'],
]);

export const failureOf = (status: number): ServiceFailure => failures.get(status) ?? 'unreadable';

// Ids of API Gateway, Cognito and CloudFront. Any other content of those headers is not shown.
const REQUEST_ID = /^[\w+/=.-]{1,100}$/;

/** The sentence, followed by the id, from a header, by which support finds the request. */
export const withRequestId = (sentence: string, id: string | null | undefined): string =>
  id && REQUEST_ID.test(id)
    ? `${sentence} If this keeps happening, write to ${product.supportEmail} and mention the request ${id}.`
    : sentence;
