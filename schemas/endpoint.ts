import type * as z from 'zod/mini';
import type { Need } from './environment.ts';
import type { RefusalCode } from './refusal.ts';

/**
 * Who may call a route. `bearer`: the holder of a Cognito access token of the site. `stripe`: Stripe, which
 * signs the raw body. `cognito`: Cognito and the browsers it redirects, when users sign in with GitHub.
 * `browser`: a browser by itself, at the demand of a header of our pages. No page and no app calls it.
 */
export type Caller = 'bearer' | 'anyone' | 'stripe' | 'cognito' | 'browser';

/**
 * The scope of the site's access tokens, for Cognito's operations on the user's own account. ID tokens have
 * no scope.
 */
export const SITE_SCOPE = 'aws.cognito.signin.user.admin';

/** A scope of every access token that the relay sends to an app: Cognito gives the others only with it. */
export const APP_SCOPE = 'openid';

export interface Endpoint {
  method: 'GET' | 'POST' | 'ANY';
  /** Below `/api`, in API Gateway's syntax. */
  path: `/${string}`;
  caller: Caller;
  /**
   * `accepted`: until an access token expires, the route answers it even if its session has ended. For
   * routes that change nothing of the caller's choosing and show only the user's plan, or a Checkout Session
   * whose id the caller knows: they are spared a call to Cognito. Absent: the route asks Cognito, and refuses
   * the token as `not-signed-in`.
   */
  endedSession?: 'accepted';
  /**
   * `accepted`: the route also answers access tokens of the relay's client, which other apps hold. They lack
   * the scope for Cognito's operations, so the route has to accept ended sessions too. Absent: such a token
   * is refused by the authorizer.
   */
  appToken?: 'accepted';
  needs: readonly Need[];
  /** Query parameters; unknown parameters are refused. Absent if the route takes none. */
  query?: z.ZodMiniType<object>;
  /**
   * JSON body; unknown fields and other content types are refused. Absent if there is none, or if it is read
   * raw (`stripe`, `browser`).
   */
  body?: z.ZodMiniType<object>;
  /** The answer. Fields that aren't declared here never leave the function. */
  response: z.ZodMiniType;
  /** The status of a success. */
  status: 200 | 201;
  /** Besides those that `commonRefusalsOf` gives. */
  refusals: readonly RefusalCode[];
  /** In bytes. @default 8192 */
  maximumBody?: number;
  /** Requests a second and burst, over all callers together. @default the stage's */
  throttle?: { rate: number; burst: number };
}

/** How logs name a route: `GET /plan`. */
export const routeLabel = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method} ${path}`;

/** The refusals that a route shares with others. */
export const commonRefusalsOf = ({ body, caller, needs }: Endpoint): RefusalCode[] => [
  'bad-request',
  'too-large',
  ...(body ? (['wrong-content-type'] as const) : []),
  ...(caller === 'bearer' ? (['not-signed-in'] as const) : []),
  ...(needs.includes('stripe') ? (['busy', 'stripe-unavailable'] as const) : []),
  'internal',
];
