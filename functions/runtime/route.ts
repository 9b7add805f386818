import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Environment } from '../../schemas/config/environment.ts';
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
import { type Made, withAdapters } from './with-environment.ts';

type Input<E extends Endpoint> = (E extends { body: infer B extends z.ZodMiniType } ? z.output<B> : unknown) &
  (E extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : unknown);

type AdaptersOf<E extends Endpoint> = E extends { caller: 'bearer' }
  ? E extends { notesSession: true }
    ? NotingAdapters
    : SessionAdapters
  : unknown;

/** The factories of a route's adapters. A route for signed-in users has those that `readSession` needs. */
type Factories<E extends Endpoint> = Readonly<Record<string, (of: Environment<E>) => unknown>> & {
  [N in keyof AdaptersOf<E>]: (of: Environment<E>) => AdaptersOf<E>[N];
};

interface RequestContext extends Omit<SessionRequest, 'user'> {
  /** The unparsed body, which signatures are computed over. */
  rawBody: Buffer;
}

type Context<E extends Endpoint, A> = RequestContext &
  (E extends { caller: 'bearer' }
    ? { user: User } & ConfirmedSession<
        A extends { planTable: { read: (id: string) => Promise<infer Row> } } ? NonNullable<Row> : never,
        A extends { noteSession: NoteSession<infer Noted> } ? Noted : undefined
      >
    : unknown);

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
export const route = <const E extends Endpoint, F extends Factories<E>>(
  endpoint: E,
  factories: F,
  handle: (
    input: Input<E>,
    context: Context<E, Made<F>>,
    adapters: Made<F>,
  ) => Promise<z.input<E['response']>>,
) =>
  withAdapters(endpoint, factories, (adapters: Made<F>): HttpHandler =>
    throughCloudFront(async (event) => {
      let user: User | undefined;
      const cookies: SessionRequest['cookies'] = { sent: event.cookies ?? [], set: [] };
      try {
        const { input, rawBody } = readRequest(endpoint, event);
        const now = new Date();
        user = endpoint.caller === 'bearer' ? userOf(event) : undefined;
        const header = (name: string) => event.headers[name];
        const request = { now, user, header, cookies };
        const handled = await answeredInTime(endpoint, async () => {
          const session = user && (await readSession(endpoint, { ...request, user }, adapters as never));
          const context = { ...request, rawBody, ...session };
          return handle(input as never, context as never, adapters);
        });
        const answer = endpoint.response.parse(handled) as object;
        const { maxAge, status }: Endpoint = endpoint;
        return maxAge
          ? respondUnlessKnown(answer, maxAge(answer as never, now), header('if-none-match'))
          : { ...json(status ?? 200, answer), cookies: cookies.set };
      } catch (error) {
        return { ...refuse(endpoint, error, user?.id), cookies: cookies.set };
      }
    }),
  );
