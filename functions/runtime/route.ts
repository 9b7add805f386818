import { createHash } from 'node:crypto';
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyEventV2WithJWTAuthorizer,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import * as z from 'zod/mini';
import { allRefusalsOf, type Endpoint, routeLabel, SITE_SCOPE } from '../../schemas/routes/endpoint.ts';
import { type RefusalAnswer, type RefusalBody, type RefusalCode, refusals } from '../../schemas/refusal.ts';
import { refusalOf } from '../../schemas/shapes/refused-as.ts';
import type { AccountRow } from '../adapters/dynamodb/user-plans/account-moments.ts';
import { knownAccount, type Profile } from '../domain/profile.ts';
import { isSessionEnded, type SessionIdentity } from '../domain/account-moment.ts';
import { answeredInTime } from './answered-in-time.ts';
import { log, logAsRequest } from './log.ts';
import { type CountedTable, readCounted } from './read-counted.ts';
import { Refusal } from './refusal.ts';
import { throughCloudFront } from './through-cloudfront.ts';

/** The user that the bearer token names. */
export interface User extends SessionIdentity {
  /** The Cognito `sub`. */
  id: string;
  /** The time of the sign-in. Refreshing a token doesn't change it. */
  signedInAt: Date;
  accessToken: string;
  /**
   * Whether the token belongs to an app: the relay's client issued it. Cognito's operations refuse such a
   * token.
   */
  isAppToken: boolean;
}

type Input<E extends Endpoint> = (E extends { body: infer B extends z.ZodMiniType } ? z.output<B> : unknown) &
  (E extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : unknown);

/** A route for signed-in users. */
type BearerEndpoint = Endpoint & { caller: 'bearer' };

/** The adapters that `route` itself uses before it calls the handler of a route for signed-in users. */
interface SessionAdapters {
  /** The user's row says since when its sessions count; one more row says that for all users. */
  planTable: CountedTable<AccountRow>;
  /** Asked only about a user without a row, or without an address in it: `profile` refuses a deleted user. */
  sessionUser: { profile: (accessToken: string) => Promise<Profile> };
}

/** The adapters for a route that also notes the session. */
interface NotingAdapters extends SessionAdapters {
  noteSession: NoteSession;
}

type AdaptersOf<E extends BearerEndpoint> = E extends { notesSession: true }
  ? NotingAdapters
  : SessionAdapters;

/** The address that the user has proved, and the provider that made the account, if one did. */
type KnownAccount = Pick<AccountRow, 'address' | 'made_by'>;

/** Notes the session of a request, and writes nothing before `confirmed`. */
export type NoteSession<Noted = unknown> = (
  request: Pick<Context<BearerEndpoint>, 'now' | 'user' | 'header' | 'cookies'>,
  confirmed: Promise<KnownAccount>,
) => Promise<Noted>;

interface Context<E extends Endpoint> {
  now: Date;
  user: E['caller'] extends 'bearer' ? User : undefined;
  /** The unparsed body, which signatures are computed over. */
  rawBody: Buffer;
  /** A header's value, by its lower-case name. */
  header: (name: string) => string | undefined;
  /** Like `name=value`, and the answer's cookies with their attributes. */
  cookies: { sent: readonly string[]; set: string[] };
}

interface BearerContext<E extends BearerEndpoint, A extends SessionAdapters> extends Context<E> {
  /** From the user's row, or from Cognito if there is none. */
  account: KnownAccount;
  /** The user's row, if it exists. */
  row: Awaited<ReturnType<A['planTable']['read']>>;
  /** The answer of `noteSession`. */
  noted: A extends { noteSession: NoteSession<infer Noted> } ? Noted : undefined;
}

type Handle<E extends Endpoint, C extends Context<E>> = (
  input: Input<E>,
  context: C,
) => Promise<z.input<E['response']>>;

export type HttpHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

const nothing = z.strictObject({});

// Bytes. The largest body in use is a few hundred bytes; the rest is room for long names.
const MAXIMUM_BODY = 8 * 1024;

// RFC 9110, 8.3.1: case doesn't matter, and parameters follow a semicolon.
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * Makes a Lambda handler for a route. Parses the request with the endpoint's schemas, calls `handle`, and
 * answers through the response schema, so undeclared fields never leave the function. A `Refusal` that the
 * endpoint declares becomes its status, sentence and code; any other error is logged and becomes a 500
 * without detail. An answer that the endpoint gives a `maxAge` has an `ETag`. Bodies and tokens are never
 * logged. A request that doesn't come through CloudFront is
 * refused before anything else.
 *
 * Refuses as `not-signed-in` if the user's row says that the session is over, or if the account was deleted.
 * The authorizer checks signature and dates only, so a stolen token of an ended session would work for up to
 * 15 minutes. Cognito is asked only about a user whose row is missing, or has no address.
 */
export function route<E extends BearerEndpoint, A extends AdaptersOf<E>>(
  endpoint: E,
  adapters: A,
  handle: Handle<E, BearerContext<E, A>>,
): HttpHandler;
export function route<E extends Endpoint>(
  endpoint: E extends BearerEndpoint ? never : E,
  handle: Handle<E, Context<E>>,
): HttpHandler;
export function route(
  endpoint: Endpoint,
  ...rest: [NotingAdapters, Handle<Endpoint, never>] | [Handle<Endpoint, never>]
): HttpHandler {
  const [adapters, handle] = rest.length === 2 ? rest : [undefined, rest[0]];
  const answerTo: HttpHandler = async (event) => {
    let caller: User | undefined;
    const cookies: Context<Endpoint>['cookies'] = { sent: event.cookies ?? [], set: [] };
    try {
      const rawBody = readBody(event, endpoint.maximumBody ?? MAXIMUM_BODY);
      const input = {
        ...parse(endpoint.query ?? nothing, event.queryStringParameters ?? {}),
        ...(endpoint.body && parse(endpoint.body, jsonOf(rawBody, event.headers['content-type']))),
      };
      const now = new Date();
      const user = endpoint.caller === 'bearer' ? userOf(event) : undefined;
      caller = user;
      const header = (name: string) => event.headers[name];
      const handled = await answeredInTime(endpoint, async () => {
        const session = user && (await readSession(endpoint, { now, user, header, cookies }, adapters));
        return handle(input, { now, user, rawBody, header, cookies, ...session } as never);
      });
      const answer = endpoint.response.parse(handled);
      return endpoint.maxAge
        ? respondUnlessKnown(answer, endpoint.maxAge(answer as never, now), header('if-none-match'))
        : { ...respond(endpoint.status ?? 200, answer), cookies: cookies.set };
    } catch (error) {
      return { ...refuse(endpoint, error, caller), cookies: cookies.set };
    }
  };
  return throughCloudFront((event) => logAsRequest(event.requestContext.requestId, () => answerTo(event)));
}

/**
 * Reads the row and the account's other sessions in parallel: reading changes nothing, and nothing is
 * answered or done before the row has confirmed the session.
 */
async function readSession(
  { notesSession, appToken }: Endpoint,
  request: Parameters<NoteSession>[0],
  adapters: NotingAdapters | undefined,
): Promise<{ row: AccountRow | undefined; account: KnownAccount; noted?: unknown }> {
  if (!adapters) throw new Error('A route for signed-in users has no adapter to ask for the session.');
  const { planTable, sessionUser } = adapters;
  const { user } = request;
  const readAccount = async (): Promise<{ row: AccountRow | undefined; account: KnownAccount }> => {
    const { row, moment } = await readCounted(planTable, user.id);
    if (isSessionEnded(moment, user)) throw new Refusal('not-signed-in');
    // A deletion clears the row before it removes the user, and the row of support's hand has no address.
    // An app's token is none for Cognito's operations: a route that accepts it checks what it opens.
    const isKnown = row?.address !== undefined || appToken !== undefined;
    const account = isKnown ? (row ?? {}) : knownAccount(await sessionUser.profile(user.accessToken));
    return { row, account };
  };
  const reading = readAccount();
  const confirmed = reading.then(({ account }) => account);
  const [known, noted] = await Promise.all([
    reading,
    notesSession ? adapters.noteSession(request, confirmed) : confirmed.then(() => undefined),
  ]);
  return { ...known, noted };
}

function refuse(
  endpoint: Endpoint,
  error: unknown,
  caller: User | undefined,
): APIGatewayProxyStructuredResultV2 {
  const code = codeOf(endpoint, error);
  const line = { route: routeLabel(endpoint) };
  if (error instanceof Refusal && error.code === code) log.info('request-refused', { ...line, code });
  else log.error('request-failed', line, error);
  if (code === 'stripe-refused') log.error('stripe-refused', { ...line, user: caller?.id ?? null });
  const answer: RefusalAnswer = refusals[code];
  const { status, sentence, retryAfter } = answer;
  return respond(status, { error: sentence, code } satisfies RefusalBody, retryAfter);
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

function respond(statusCode: number, body: unknown, retryAfter?: number): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify(body),
  };
}

/** Answers with 304 and no body if the caller's copy, named by `If-None-Match`, is the same. */
function respondUnlessKnown(
  answer: unknown,
  maxAge: number,
  known: string | undefined,
): APIGatewayProxyStructuredResultV2 {
  const response = respond(200, answer);
  const hash = createHash('sha256').update(String(response.body)).digest('base64url').slice(0, 22);
  const etag = `"${hash}"`;
  // An app's own cache must not answer one user with the copy of another.
  const vary = 'authorization';
  const headers = { ...response.headers, etag, vary, 'cache-control': `private, max-age=${maxAge}` };
  // RFC 9110, 13.1.2: a list of tags, compared without the mark of weak ones.
  const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
  return isKnown ? { statusCode: 304, headers } : { ...response, headers };
}

function readBody(event: APIGatewayProxyEventV2, maximum: number): Buffer {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.byteLength > maximum) throw new Refusal('too-large');
  return body;
}

/**
 * Other types are refused even if the text is JSON: a form on another site can send `text/plain`, but needs
 * the browser's permission to send `application/json`.
 */
function jsonOf(body: Buffer, contentType: string | undefined): unknown {
  const isEmpty = body.byteLength === 0;
  if (contentType === undefined ? !isEmpty : !JSON_TYPE.test(contentType)) {
    throw new Refusal('wrong-content-type');
  }
  if (isEmpty) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal('bad-request');
  }
}

function parse(schema: z.ZodMiniType<object>, value: unknown): object {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Refusal(refusalOf(parsed.error.issues));
  return parsed.data;
}

const Claims = z.object({
  sub: z.string().check(z.minLength(1)),
  // Unix seconds. API Gateway passes every claim as a string.
  auth_time: z.string().check(z.regex(/^\d{1,12}$/)),
  token_use: z.literal('access'),
  // Scopes, separated by spaces.
  scope: z.string(),
});

function userOf(event: APIGatewayProxyEventV2): User {
  const { authorizer } = (event as Partial<APIGatewayProxyEventV2WithJWTAuthorizer>).requestContext ?? {};
  const claims = Claims.safeParse(authorizer?.jwt.claims);
  // The authorizer has checked the token. This check guards a route that was set up without an authorizer.
  if (!claims.success) throw new Refusal('not-signed-in');
  return {
    id: claims.data.sub,
    signedInAt: new Date(Number(claims.data.auth_time) * 1000),
    accessToken: (event.headers['authorization'] ?? '').replace(/^Bearer\s+/i, ''),
    session: String(authorizer?.jwt.claims['origin_jti']),
    isAppToken: !claims.data.scope.split(' ').includes(SITE_SCOPE),
  };
}
