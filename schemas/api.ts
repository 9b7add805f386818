import * as z from 'zod/mini';
import {
  AccountExport,
  ChangePasswordRequest,
  ChangePasswordResponse,
  DeleteAccountResponse,
} from './account.ts';
import { BillingOverview, UpdateCardResponse } from './billing.ts';
import {
  CancelRequest,
  CancelResponse,
  CheckoutSessionRequest,
  CheckoutSessionResponse,
  SessionStatus,
  StripeId,
} from './checkout.ts';
import type { Need } from './environment.ts';
import { Plan } from './plan.ts';
import type { RefusalCode } from './refusal.ts';
import { WaitlistEntry, WaitlistRequest } from './waitlist.ts';

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
  /** Besides `bad-request`, `too-large` and `internal`, which every route may answer. */
  refusals: readonly RefusalCode[];
  /** In bytes. @default 8192 */
  maximumBody?: number;
  /** Requests a second and burst, over all callers together. @default the stage's */
  throttle?: { rate: number; burst: number };
}

/**
 * Every route. The key is the name of the handler's file: `functions/webhooks/<key>.ts` for Stripe,
 * `functions/github-oidc/<key>.ts` for Cognito, `functions/api/<key>.ts` otherwise. The Api construct, the
 * handlers and the browser's client read this table. To add a route, add an entry here and its file there.
 */
export const api = {
  plan: {
    method: 'GET',
    path: '/plan',
    caller: 'bearer',
    endedSession: 'accepted',
    needs: ['writePlans', 'stripe'],
    response: Plan,
    status: 200,
    refusals: [],
  },
  'create-checkout-session': {
    method: 'POST',
    path: '/create-checkout-session',
    caller: 'bearer',
    needs: ['writePlans', 'stripe', 'site'],
    body: CheckoutSessionRequest,
    response: CheckoutSessionResponse,
    status: 200,
    refusals: ['unknown-plan', 'not-yours', 'already-subscribed', 'renew-instead', 'account-closing'],
  },
  'session-status': {
    method: 'GET',
    path: '/session-status',
    caller: 'bearer',
    endedSession: 'accepted',
    needs: ['writePlans', 'stripe'],
    query: z.strictObject({ session_id: StripeId }),
    response: SessionStatus,
    status: 200,
    refusals: ['not-found'],
  },
  'cancel-subscription': {
    method: 'POST',
    path: '/cancel-subscription',
    caller: 'bearer',
    needs: ['writePlans', 'stripe'],
    body: CancelRequest,
    response: CancelResponse,
    status: 200,
    refusals: ['no-active-subscription', 'already-cancelled'],
  },
  'renew-subscription': {
    method: 'POST',
    path: '/renew-subscription',
    caller: 'bearer',
    needs: ['writePlans', 'stripe'],
    body: z.strictObject({}),
    response: Plan,
    status: 200,
    refusals: ['nothing-to-renew'],
  },
  billing: {
    method: 'GET',
    path: '/billing',
    caller: 'bearer',
    needs: ['readPlans', 'stripe'],
    response: BillingOverview,
    status: 200,
    refusals: [],
    // Each call sends Stripe three requests; see `export`.
    throttle: { rate: 10, burst: 50 },
  },
  'update-card': {
    method: 'POST',
    path: '/update-card',
    caller: 'bearer',
    needs: ['readPlans', 'stripe', 'site'],
    body: z.strictObject({}),
    response: UpdateCardResponse,
    status: 200,
    refusals: ['no-active-subscription'],
    // Each call sends Stripe up to six requests; see `export`.
    throttle: { rate: 10, burst: 50 },
  },
  'change-password': {
    method: 'POST',
    path: '/change-password',
    caller: 'bearer',
    needs: ['mail', 'site'],
    body: ChangePasswordRequest,
    response: ChangePasswordResponse,
    status: 200,
    refusals: ['wrong-password', 'weak-password', 'no-password', 'too-many-tries'],
  },
  export: {
    method: 'GET',
    path: '/export',
    caller: 'bearer',
    needs: ['readPlans', 'readWaitlist', 'stripe'],
    response: AccountExport,
    status: 200,
    refusals: [],
    // Each call sends Stripe two requests, and Stripe allows a hundred a second. A script with one account
    // must leave enough of them to users who pay.
    throttle: { rate: 10, burst: 50 },
  },
  'delete-account': {
    method: 'POST',
    path: '/delete-account',
    caller: 'bearer',
    needs: ['writePlans', 'deletePlans', 'stripe', 'mail'],
    body: z.strictObject({}),
    response: DeleteAccountResponse,
    status: 200,
    refusals: ['sign-in-again'],
  },
  waitlist: {
    method: 'POST',
    path: '/waitlist',
    caller: 'anyone',
    needs: ['joinWaitlist'],
    body: WaitlistRequest,
    response: WaitlistEntry,
    status: 201,
    refusals: ['already-on-waitlist'],
    // Five a second is far above any launch day, and keeps a script from filling the table.
    throttle: { rate: 5, burst: 10 },
  },
  'github-oidc': {
    // The endpoints of an authorization server: browsers call some, Cognito calls the others.
    method: 'ANY',
    path: '/github-oidc/{step}',
    caller: 'cognito',
    needs: ['github', 'signIdTokens', 'site'],
    // The function writes OpenID Connect's own formats.
    response: z.unknown(),
    status: 200,
    refusals: [],
  },
  'stripe-webhook': {
    method: 'POST',
    path: '/stripe/webhook',
    caller: 'stripe',
    needs: ['writePlans', 'deletePlans', 'findAccounts', 'stripe'],
    response: z.object({ received: z.literal(true) }),
    status: 200,
    refusals: ['bad-signature'],
    // Stripe states no limit for an event; an invoice with many lines exceeds 64 KiB.
    maximumBody: 256 * 1024,
  },
} as const satisfies Record<string, Endpoint>;

export type Api = typeof api;
export type RouteName = keyof Api;

/** How logs name a route: `GET /plan`. */
export const routeLabel = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  `${method} ${path}`;
