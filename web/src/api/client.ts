import * as z from 'zod/mini';
import { type RefusalCode, refusals } from '../../../schemas/refusal.ts';
import type { RefusalsOf } from '../../../schemas/routes/endpoint.ts';
import { siteApi } from '../../../schemas/site-api.ts';
import type { AccessToken } from '../session/access-token.ts';
import { failureOf, type ServiceFailure, serviceSentences, withRequestId } from './service-sentences.ts';

type SiteApi = typeof siteApi;
type CallName = keyof SiteApi;

type Part<E, K extends 'body' | 'query'> =
  E extends Record<K, infer S extends z.ZodMiniType> ? Record<K, z.input<S>> : unknown;
type Input<N extends CallName> = Part<SiteApi[N], 'body'> & Part<SiteApi[N], 'query'>;
type Arguments<N extends CallName> = unknown extends Input<N> ? [] : [input: Input<N>];

interface UntypedInput {
  body?: unknown;
  query?: Record<string, string>;
}

/**
 * The codes of failed calls. `unreachable`: no answer came. `unreadable`: the answer isn't the API's, and its
 * status doesn't tell what happened. After `unreachable`, `unreadable`, `internal` and `down`, the request
 * may have been carried out.
 */
type FailureCode<N extends CallName> =
  | RefusalsOf<SiteApi[N]>
  | 'busy'
  | 'stripe-unavailable'
  | 'stripe-refused'
  | ServiceFailure;

type Answer<N extends CallName> =
  | { ok: true; value: z.output<SiteApi[N]['response']> }
  /** `sentence` is for the user. */
  | { ok: false; code: FailureCode<N>; sentence: string };

/** The part of the browser's `fetch` that is used. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Connection {
  /** @default the browser's */
  fetch?: Fetch;
  /** @default no user */
  bearer?: {
    accessToken?: () => Promise<AccessToken>;
    /** A token other than the rejected one. */
    renewedToken?: (rejected: string) => Promise<AccessToken>;
    /** Called when our API refuses a renewed token as well. */
    signOut?: () => Promise<unknown>;
  };
}

const none = async (): Promise<AccessToken> => ({ kind: 'none' });

// API Gateway gives up after 30 s.
const TIMEOUT = 30_000;

// A request to a busy server is repeated at most twice within six seconds: the user is watching a button.
const MAXIMUM_RETRIES = 2;
// Seconds.
const MAXIMUM_RETRY_AFTER = 3;

/** Failures that support can look into, so their sentences include the request's id. */
const TRACED: ReadonlySet<FailureCode<CallName>> = new Set([
  'blocked',
  'internal',
  'stripe-unavailable',
  'stripe-refused',
  'down',
  'unreadable',
]);

// Headers of API Gateway, and of CloudFront if it answered the request itself.
const REQUEST_ID_HEADERS = ['apigw-requestid', 'x-amzn-requestid', 'x-amz-cf-id'];

const RefusalAnswer = z.object({ error: z.string(), code: z.string() });

/**
 * Calls the routes of `schemas/site-api.ts`. A call never rejects: a failure is an answer with a code and a
 * sentence for the user. A rejected token is renewed once, because the clocks of browser and server may
 * differ, for example after the laptop slept. If our API refuses the new token too, the session ends. API
 * Gateway's own 401 doesn't end it: a token that Cognito has just issued is good, and API Gateway can't check
 * tokens while it can't read Cognito's keys.
 *
 * A call that is refused as `busy` is sent again after the seconds of `Retry-After`: every route is safe to
 * repeat.
 */
export function createClient({
  fetch = (url, init) => globalThis.fetch(url, init),
  bearer = {},
}: Connection) {
  const { accessToken = none, renewedToken = none, signOut = none } = bearer;
  return async function call<N extends CallName>(name: N, ...[input]: Arguments<N>): Promise<Answer<N>> {
    let retries = 0;
    const send = async (token: string | null): Promise<{ status: number; answer: Answer<N> }> => {
      const response = await fetch(...request(name, input as UntypedInput | undefined, token));
      const answer = await read(name, response);
      const seconds = secondsToRetry(answer, response.headers);
      if (seconds === undefined || retries === MAXIMUM_RETRIES) return { status: response.status, answer };
      retries += 1;
      await pause(seconds);
      // The repeated call has the same token: another user may have signed in meanwhile.
      return send(token);
    };
    try {
      if (siteApi[name].caller === 'anyone') return (await send(null)).answer;

      const access = await accessToken();
      if (access.kind !== 'token') return failure(missing(access));
      const first = await send(access.token);
      if (first.status !== 401) return first.answer;

      const renewed = await renewedToken(access.token);
      if (renewed.kind !== 'token') return failure(missing(renewed));
      const second = await send(renewed.token);
      if (!second.answer.ok && second.answer.code === 'not-signed-in') await signOut();
      return second.answer;
    } catch {
      return failure('unreachable');
    }
  };
}

export type Call = ReturnType<typeof createClient>;

async function read<N extends CallName>(name: N, response: Response): Promise<Answer<N>> {
  const json: unknown = await response.json().catch(() => undefined);
  if (response.ok) {
    const parsed = z.safeParse(siteApi[name].response, json);
    return parsed.success
      ? { ok: true, value: parsed.data as z.output<SiteApi[N]['response']> }
      : failure('unreadable', response.headers);
  }
  const refused = RefusalAnswer.safeParse(json);
  // A code that this page doesn't know comes from a newer API.
  if (refused.success && !isRefusalCode(refused.data.code)) return failure('unreadable', response.headers);
  if (!refused.success) return failure(failureOf(response.status), response.headers);
  const code = refused.data.code as FailureCode<N>;
  return { ok: false, code, sentence: traced(code, refused.data.error, response.headers) };
}

/**
 * The seconds after which to repeat the request; undefined if the answer stands. `Retry-After` is a number of
 * seconds or a date (RFC 9110, section 10.2.3). The API sends seconds.
 */
function secondsToRetry(answer: Answer<CallName>, headers: Headers): number | undefined {
  if (answer.ok || answer.code !== 'busy') return undefined;
  const retryAfter = headers.get('retry-after') ?? '';
  if (!/^\d+$/.test(retryAfter)) return undefined;
  return Number(retryAfter) <= MAXIMUM_RETRY_AFTER ? Number(retryAfter) : undefined;
}

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
  });

/** The failure of a call. `headers`: those of the answer, if one came. */
const failure = (code: ServiceFailure, headers?: Headers) =>
  ({ ok: false, code, sentence: traced(code, serviceSentences[code], headers) }) as const;

/** The sentence, with the request's id if support can look into the failure. */
function traced(code: FailureCode<CallName>, sentence: string, headers: Headers | undefined): string {
  const header = REQUEST_ID_HEADERS.find((name) => headers?.has(name));
  return withRequestId(sentence, TRACED.has(code) && header !== undefined ? headers?.get(header) : null);
}

const missing = (access: Exclude<AccessToken, { kind: 'token' }>) =>
  access.kind === 'none' ? 'not-signed-in' : 'unreachable';

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

function request(
  name: CallName,
  input: UntypedInput | undefined,
  token: string | null,
): [string, RequestInit] {
  const { path, method } = siteApi[name];
  const query = input?.query ? `?${new URLSearchParams(input.query).toString()}` : '';
  return [
    `/api${path}${query}`,
    {
      method,
      headers: {
        accept: 'application/json',
        ...(input?.body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      ...(input?.body !== undefined && { body: JSON.stringify(input.body) }),
      // Apps may keep the plan for a while. A page always shows the present plan.
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT),
    },
  ];
}
