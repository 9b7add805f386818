import type * as z from 'zod/mini';
import type { Need } from './environment.ts';
import type { RefusalCode } from './refusal.ts';

/**
 * Who may call a route. `bearer`: the holder of a Cognito access token of the site. `stripe`: Stripe, which
 * signs the raw body. `cognito`: Cognito and the browsers it redirects, when users sign in with GitHub.
 */
export type Caller = 'bearer' | 'anyone' | 'stripe' | 'cognito';

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
  needs: readonly Need[];
  /** Query parameters; unknown parameters are refused. Absent if the route takes none. */
  query?: z.ZodMiniType<object>;
  /** JSON body; unknown fields are refused. Absent if there is none, or if it is read raw (`stripe`). */
  body?: z.ZodMiniType<object>;
  /** The answer. Fields that aren't declared here never leave the function. */
  response: z.ZodMiniType;
  /** The status of a success. */
  status: 200 | 201;
  /**
   * Besides those of every route: `bad-request`, `too-large`, `busy`, `stripe-unavailable` and `internal`.
   */
  refusals: readonly RefusalCode[];
  /** In bytes. @default 8192 */
  maximumBody?: number;
  /** Requests a second and burst, over all callers together. @default the stage's */
  throttle?: { rate: number; burst: number };
}

/** How logs name a route: `GET /plan`. */
export const routeLabel = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method} ${path}`;
