import type { FaultName } from '../../../infra/local/vendors/stripe/faults.ts';

/** The subscriber, or an attacker with an account of her own who knows the ids that Ada's browser shows. */
type User = 'ada' | 'eve';

export const cards = {
  pays: '4242424242424242',
  'fails at renewals': '4000000000000341',
  'is declined': '4000000000000002',
  'settles later': '4000009999000014',
  'fails later': '4000009999000022',
  'is refunded later': '4000000000007726',
  'is refunded in vain': '4000000000005126',
  'asks the bank': '4000002500003155',
  'asks the bank each time': '4000002760003184',
  'asks the bank in vain': '4000008260003178',
} as const;

/** The calls that Stripe may refuse for a while, as method and path. */
export const refusedCalls = [
  'GET /v1/subscriptions',
  'POST /v1/subscriptions/:id',
  'DELETE /v1/subscriptions/:id',
  'GET /v1/invoices',
  'POST /v1/invoices/create_preview',
  'POST /v1/invoices/:id',
  'POST /v1/invoices/:id/void',
  'POST /v1/invoices/:id/finalize',
  'GET /v1/invoice_payments',
  'POST /v1/refunds',
  'GET /v1/customers/:id',
  'POST /v1/customers',
  'DELETE /v1/customers/:id',
  'GET /v1/checkout/sessions/:id',
  'POST /v1/checkout/sessions',
  'POST /v1/checkout/sessions/:id/expire',
  'GET /v1/events',
] as const;

/** An action that runs a handler of the product. `session` counts back from the newest checkout session. */
export type HandlerAction =
  | { type: 'read the plan' }
  | { type: 'open a checkout' }
  | { type: 'return from checkout'; session: number; user: User }
  | {
      type: 'cancel';
      target: 'shown subscription' | 'old subscription' | 'complimentary plan';
      user: User;
    }
  | { type: 'renew' }
  | { type: 'delete the account' }
  | { type: 'sign up' }
  // `event` is an index into the undelivered events, or into all events for a replay.
  | { type: 'deliver an event'; event: number; keep: boolean }
  | { type: 'replay an event'; event: number }
  | { type: 'run the expiry sweep' }
  | { type: 'run the event catch-up' }
  | { type: 'run the billing tasks' }
  | { type: 'run the plan agreement' };

/** An action at Stripe, on the way from Stripe, or in the database. No handler runs. */
export type ExternalAction =
  | { type: 'pay'; session: number; card: keyof typeof cards }
  // A bank's question on Stripe's page waits for ever. `question` counts back from the newest.
  | { type: 'answer the bank'; question: number; answer: 'accepted' | 'refused' }
  | { type: 'enter a new card'; card: keyof typeof cards }
  | { type: 'pay the open invoice' }
  | { type: 'cancel in the portal'; hours: number | undefined }
  | { type: 'renew in the portal' }
  | { type: 'support ends the subscription' }
  | { type: 'support pauses the payments'; behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void' }
  | { type: 'support resumes the payments' }
  | { type: 'support pauses the subscription'; credits: boolean }
  | { type: 'support resumes the subscription' }
  | { type: 'support sends the invoices by mail'; byMail: boolean }
  | { type: 'support forgives the open invoice'; by: 'mark_uncollectible' | 'void' }
  | {
      type: 'support gives a discount';
      percent: number;
      duration: 'forever' | 'once' | 'repeating';
      to: 'customer' | 'item' | 'subscription';
    }
  // A credit is negative.
  | { type: 'support sets the balance'; cents: number }
  | { type: 'support adds an item'; cents: number }
  | { type: 'Stripe finalizes no invoice'; ends: boolean }
  // The invoice is open then, and not tried for up to an hour.
  | { type: 'support finalizes a renewal' }
  // Stripe then refuses other changes of the subscription's end.
  | { type: 'support schedules the subscription' }
  // As where Stripe's setting keeps a subscription past due after the last try.
  | { type: 'Stripe stops trying' }
  | { type: 'support refunds a payment' }
  | { type: 'the bank opens a dispute' }
  | { type: 'support grants a complimentary plan'; hours: number | undefined }
  // A checkout that the product does not know, as from Stripe's dashboard.
  | { type: 'support opens a second checkout' }
  // Stripe refuses one kind of call for some hours.
  | { type: 'Stripe begins to refuse'; call: (typeof refusedCalls)[number]; fault: FaultName; hours: number }
  | { type: 'drop an event'; event: number };

/** An action that happens at one moment. */
export type InstantAction = HandlerAction | ExternalAction;

/** Every action is possible at any time. An action that makes no sense has no effect. */
export type Action =
  | InstantAction
  | { type: 'time passes'; hours: number }
  // Every webhook is lost, and no schedule runs.
  | { type: 'time passes in silence'; days: number }
  // To so many minutes after the next renewal or end of a running subscription.
  | { type: 'time passes to the renewal'; minutes: number };
