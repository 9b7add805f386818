import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type RefusalCode, refusals } from '../../schemas/refusal.ts';
import { allRefusalsOf, type Endpoint, routeLabel } from '../../schemas/routes/endpoint.ts';
import { json } from './json-answer.ts';
import { log } from './log.ts';
import { Refusal } from './refusal.ts';

/**
 * The answer to a request whose handler threw `error`: a declared refusal, or a 500 without detail. `user`:
 * the caller, for a line in the log that support searches.
 */
export function refuse(endpoint: Endpoint, error: unknown, user: string | undefined) {
  const code = codeOf(endpoint, error);
  const line = { route: routeLabel(endpoint) };
  if (error instanceof Refusal && error.code === code) log.info('request-refused', { ...line, code });
  else log.error('request-failed', line, error);
  if (code === 'stripe-refused') log.error('stripe-refused', { ...line, user: user ?? null });
  const { status, sentence, retryAfter } = refusals[code];
  const again = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return json(status, { error: sentence, code }, again);
}

/** Errors of Stripe's client have a `type` like `StripeRateLimitError`. */
const StripeFailure = z.object({ type: z.string().check(z.regex(/^Stripe\w*Error$/)) });

/** A refusal from deeper code that the route doesn't declare is a bug, like any other error. */
function codeOf(endpoint: Endpoint, error: unknown): RefusalCode {
  if (error instanceof Refusal) {
    const declared = allRefusalsOf(endpoint);
    return declared.includes(error.code) ? error.code : 'internal';
  }
  const failure = StripeFailure.safeParse(error);
  if (!failure.success) return 'internal';
  // Stripe says no to the request itself, so the same request fails again.
  return failure.data.type === 'StripeInvalidRequestError' ? 'stripe-refused' : 'stripe-unavailable';
}

/**
 * Answers with 304 and no body if the caller's copy, named by `If-None-Match`, is the same. `maxAge`: seconds
 * until the caller may ask again.
 */
export function respondUnlessKnown(answer: object, maxAge: number, known: string | undefined) {
  const { body } = json(200, answer);
  const etag = `"${createHash('sha256').update(String(body)).digest('base64url').slice(0, 22)}"`;
  // An app's own cache must not answer one user with the copy of another.
  const vary = 'authorization';
  const response = json(200, answer, { etag, vary, 'cache-control': `private, max-age=${maxAge}` });
  // RFC 9110, 13.1.2: a list of tags, compared without the mark of weak ones.
  const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
  return isKnown ? { statusCode: 304, headers: response.headers } : response;
}
