import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Endpoint } from '../../schemas/routes/endpoint.ts';
import { refuse, respondUnlessKnown } from './answer.ts';
import { answeredInTime } from './answered-in-time.ts';
import { json } from './json-answer.ts';
import { readRequest, type User, userOf } from './read-request.ts';
import {
  type ConfirmedSession,
  type NoteSession,
  type NotingAdapters,
  readSession,
  type SessionAdapters,
  type SessionRequest,
} from './read-session.ts';
import { throughCloudFront } from './through-cloudfront.ts';

type Input<E extends Endpoint> = (E extends { body: infer B extends z.ZodMiniType } ? z.output<B> : unknown) &
  (E extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : unknown);

/** A route for signed-in users. */
type BearerEndpoint = Endpoint & { caller: 'bearer' };

type AdaptersOf<E extends BearerEndpoint> = E extends { notesSession: true }
  ? NotingAdapters
  : SessionAdapters;

interface Context<E extends Endpoint> extends Omit<SessionRequest, 'user'> {
  user: E['caller'] extends 'bearer' ? User : undefined;
  /** The unparsed body, which signatures are computed over. */
  rawBody: Buffer;
}

type BearerContext<E extends BearerEndpoint, A extends SessionAdapters> = Context<E> &
  ConfirmedSession<
    NonNullable<Awaited<ReturnType<A['planTable']['read']>>>,
    A extends { noteSession: NoteSession<infer Noted> } ? Noted : undefined
  >;

type Handle<E extends Endpoint, C extends Context<E>> = (
  input: Input<E>,
  context: C,
) => Promise<z.input<E['response']>>;

export type HttpHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Makes a Lambda handler for a route. Parses the request with the endpoint's schemas, calls `handle`, and
 * answers through the response schema, so undeclared fields never leave the function. A `Refusal` that the
 * endpoint declares becomes its status, sentence and code; any other error is logged and becomes a 500
 * without detail. An answer that the endpoint gives a `maxAge` has an `ETag`. Bodies and tokens are never
 * logged. A request that doesn't come through CloudFront is refused before anything else.
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
  return throughCloudFront(async (event) => {
    let user: User | undefined;
    const cookies: SessionRequest['cookies'] = { sent: event.cookies ?? [], set: [] };
    try {
      const { input, rawBody } = readRequest(endpoint, event);
      const now = new Date();
      user = endpoint.caller === 'bearer' ? userOf(event) : undefined;
      const header = (name: string) => event.headers[name];
      const request = { now, user, header, cookies };
      const handled = await answeredInTime(endpoint, async () => {
        const session = user && (await readSession(endpoint, { ...request, user }, adapters));
        return handle(input, { ...request, rawBody, ...session } as never);
      });
      const answer = endpoint.response.parse(handled) as object;
      return endpoint.maxAge
        ? respondUnlessKnown(answer, endpoint.maxAge(answer as never, now), header('if-none-match'))
        : { ...json(endpoint.status ?? 200, answer), cookies: cookies.set };
    } catch (error) {
      return { ...refuse(endpoint, error, user?.id), cookies: cookies.set };
    }
  });
}
