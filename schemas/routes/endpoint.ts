import type * as z from 'zod/mini';
import type { Access } from '../config/environment.ts';
import type { RefusalCode } from '../refusal.ts';

/**
 * The scope of the site's access tokens, for Cognito's operations on the user's own account. ID tokens have
 * no scope.
 */
export const SITE_SCOPE = 'aws.cognito.signin.user.admin';

/**
 * A scope of every access token that the relay sends to an app: Cognito grants the other scopes only together
 * with this one.
 */
export const APP_SCOPE = 'openid';

export interface Endpoint extends Access {
  method: 'GET' | 'POST' | 'ANY';
  /** The path below `/api`, in API Gateway's syntax. */
  path: `/${string}`;
  /**
   * `bearer`: the holder of a Cognito access token of the site. `stripe`: Stripe, which signs the raw body.
   * `cognito`: Cognito and the browsers it redirects, when users sign in with GitHub. `browser`: a browser on
   * its own, told by a header of our pages. No page and no app calls such a route. `app`: an app that has a
   * code or a token of its own to show, in the formats of OAuth.
   */
  caller: 'bearer' | 'anyone' | 'stripe' | 'cognito' | 'browser' | 'app';
  /**
   * `accepted`: the route also answers access tokens of the relay's client, which other apps hold. Absent:
   * such a token is refused by the authorizer.
   */
  appToken?: 'accepted';
  /**
   * The route notes the caller's session, and mails the owner about a browser that the account never had. For
   * the list of sessions, and for what a thief would do with a program that signs in past our site.
   */
  notesSession?: true;
  /** Query parameters; unknown parameters are refused. Absent if the route takes none. */
  query?: z.ZodMiniType<object>;
  /**
   * JSON body; unknown fields and other content types are refused. Absent if there is no body, or if the
   * route reads the raw body (`stripe`, `browser`).
   */
  body?: z.ZodMiniType<object>;
  /**
   * The parameters of a form, instead of a body in JSON: for the caller `app`. Unknown parameters are ignored
   * (RFC 6749, section 3.2). `functions/runtime/oauth-route.ts` serves such a route.
   */
  form?: z.ZodMiniType<object>;
  /** The answer. Undeclared fields never leave the function. */
  response: z.ZodMiniType;
  /**
   * Seconds after which a caller may ask again. The answer says so in `Cache-Control`, and has an `ETag`: a
   * caller that sends it in `If-None-Match` gets 304 without a body while nothing has changed. Absent: the
   * answer must not be stored.
   */
  maxAge?: (answer: never, now: Date) => number;
  /** The status of a success. @default 200 */
  status?: 201;
  /** The route's refusals, besides those that `allRefusalsOf` adds. */
  refusals: readonly RefusalCode[];
  /** Bytes. @default 8192 */
  maximumBody?: number;
  /** Requests per second and burst, for all callers together. @default the stage's */
  throttle?: { rate: number; burst: number };
}

/** The rights to the table Limits of what asks `functions/accounts/refusal-to-mail.ts`. */
export const countedMail = ['GetItem', 'UpdateItem', 'DeleteItem'] as const;

/** The tables in which a route notes sessions. It mails, too: it needs `mail` and `site`. */
export const sessionTables = {
  AppSessions: ['Query', 'PutItem'],
  Limits: ['UpdateItem'],
} as const satisfies Access['tables'];

/**
 * The throttle of a route that anyone may call. Most requests of a script are refused after a read, so the
 * rate is far above honest use: what protects the route from one caller is the firewall, which gives an IP
 * address a hundredth.
 */
export const openThrottle = { rate: 50, burst: 100 } as const satisfies Endpoint['throttle'];

/** The route's name in logs: `GET /plan`. */
export const routeLabel = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method} ${path}`;

/** All refusals of a route, its own first. A route with a form has OAuth's errors instead. */
export const allRefusalsOf = ({ refusals, body, form, caller, needs }: Endpoint): RefusalCode[] =>
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
