import type * as z from 'zod/mini';
import type { Access } from '../config/environment.ts';
import type { RefusalCode } from '../refusal.ts';

/** The scope of the site's access tokens, for Cognito's operations on the user's own account. */
export const SITE_SCOPE = 'aws.cognito.signin.user.admin';

/** The scope of an app's access tokens: Cognito grants other scopes only together with it. */
export const APP_SCOPE = 'openid';

export interface Endpoint extends Access {
  method: 'GET' | 'POST' | 'ANY';
  /** The path below `/api`, in API Gateway's syntax. */
  path: `/${string}`;
  /**
   * `bearer`: a Cognito access token of the site. `stripe`: Stripe, which signs the raw body. `cognito`:
   * Cognito and the browsers that it redirects to sign in with GitHub. `browser`: a browser on its own, told
   * by a header of our pages. `app`: an app with a code or token of its own, in the formats of OAuth.
   */
  caller: 'bearer' | 'anyone' | 'stripe' | 'cognito' | 'browser' | 'app';
  /** `accepted`: also access tokens of apps, by the relay's client. The authorizer refuses them elsewhere. */
  appToken?: 'accepted';
  /** Notes the caller's session, and mails the owner about a browser that the account never had. */
  notesSession?: true;
  /** Query parameters; unknown parameters are refused. Absent if the route takes none. */
  query?: z.ZodMiniType<object>;
  /** JSON; unknown fields and other content types are refused. Absent without a body, and for a raw body. */
  body?: z.ZodMiniType<object>;
  /** The parameters of a form, for the caller `app`. Unknown ones are ignored (RFC 6749, section 3.2). */
  form?: z.ZodMiniType<object>;
  /** The answer. Undeclared fields never leave the function. */
  response: z.ZodMiniType;
  /**
   * Seconds after which a caller may ask again, in `Cache-Control` beside an `ETag`: `If-None-Match` gets 304
   * while nothing has changed. Absent: the answer must not be stored.
   */
  maxAge?: (answer: never, now: Date) => number;
  /** The status of a success. @default 200 */
  status?: 201;
  /** The route's refusals, besides those that `allRefusalsOf` adds. @default none */
  refusals?: readonly RefusalCode[];
  /** Bytes. @default 8192 */
  maximumBody?: number;
  /** Requests per second and burst, for all callers together. @default `infra/constructs/api/throttle.ts` */
  throttle?: { rate: number; burst: number };
}

/** The rights to the table Limits of what asks `functions/accounts/refusal-to-mail.ts`. */
export const countedMail = ['GetItem', 'UpdateItem', 'DeleteItem'] as const;

/** The tables in which a route notes sessions. It mails, too: it needs `mail` and `site`. */
export const sessionTables = {
  AppSessions: ['Query', 'PutItem'],
  Limits: ['UpdateItem'],
} as const satisfies Access['tables'];

/** The route's name in logs: `GET /plan`. */
export const routeLabel = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;

/** The route's own refusals. */
export type RefusalsOf<E extends Endpoint> = E extends {
  refusals: readonly (infer Code extends RefusalCode)[];
}
  ? Code
  : never;

/** All refusals of a route, its own first. A route with a form has OAuth's errors instead. */
export const allRefusalsOf = ({ refusals = [], body, form, caller, needs }: Endpoint): RefusalCode[] =>
  form
    ? []
    : [
        ...refusals,
        'bad-request',
        'too-large',
        ...(body ? (['wrong-content-type'] as const) : []),
        ...(caller === 'bearer' ? (['not-signed-in'] as const) : []),
        ...(needs.includes('stripe') ? (['busy', 'stripe-unavailable', 'stripe-refused'] as const) : []),
        'internal',
      ];
