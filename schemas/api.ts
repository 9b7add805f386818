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
 * Who may call a route: `bearer`, someone with a Cognito access token of the site; `anyone`; `stripe`, whoever signs the raw
 * body with Stripe's secret; `cognito`, which signs people in by GitHub there, by way of their browsers.
 */
export type Caller = 'bearer' | 'anyone' | 'stripe' | 'cognito';

export interface Endpoint {
  method: 'GET' | 'POST' | 'ANY';
  /** As API Gateway writes it, below `/api`. */
  path: `/${string}`;
  caller: Caller;
  needs: readonly Need[];
  /** Query parameters, strict: an unknown one is refused; absent where the route takes none. */
  query?: z.ZodMiniType;
  /** JSON body, strict; absent where the route takes none, or reads it raw (`stripe`). */
  body?: z.ZodMiniType;
  /** What leaves and what the browser reads: a field that stands only in the handler's answer is dropped. */
  response: z.ZodMiniType;
  /** Of a success. */
  status: 200 | 201;
  /** Beyond `bad-request`, `too-large` and `internal`, which any route may answer. */
  refusals: readonly RefusalCode[];
  /** Largest body read, in bytes. */
  maximumBody?: number;
  /** Requests a second, and how many may come at once, over all callers together; the stage's default otherwise. */
  throttle?: { rate: number; burst: number };
}

/**
 * Every route there is. The key is the handler's file: `functions/webhooks/<key>.ts` where Stripe calls,
 * `functions/github-oidc/<key>.ts` where Cognito does, `functions/api/<key>.ts` otherwise. The Api construct, the handlers and the browser's client walk
 * this table; adding a route is an entry here and its file there.
 */
export const api = {
  plan: {
    method: 'GET',
    path: '/plan',
    caller: 'bearer',
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
    // Each asks Stripe three times; see `export`.
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
    // Each asks Stripe up to half a dozen times; see `export`.
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
    // Each asks Stripe twice, which answers a hundred calls a second to all of us together. A script with one account must not
    // leave nothing for those who pay.
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
    // A person joins once. Five a second is far above any launch day, and a script that fills the table
    // pays for its patience.
    throttle: { rate: 5, burst: 10 },
  },
  'github-oidc': {
    // An authorization server's addresses: browsers come by some, Cognito itself by the others.
    method: 'ANY',
    path: '/github-oidc/{step}',
    caller: 'cognito',
    needs: ['github', 'signIdentities', 'site'],
    // What goes out is OpenID Connect's, written by the function itself.
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
    // Stripe states no bound for an event; an invoice with many lines passes 64 KiB.
    maximumBody: 256 * 1024,
  },
} as const satisfies Record<string, Endpoint>;

export type Api = typeof api;
export type RouteName = keyof Api;
