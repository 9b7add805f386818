import { once } from '../once.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import type { Connection } from './connection.ts';
import { customers } from './customers.ts';
import type { endings } from './endings.ts';
import { events } from './events.ts';
import type { invoices } from './invoices.ts';
import { subscriptions } from './subscriptions.ts';

/** `pace`: waits until the next request may be sent. @default requests don't wait */
export const stripeBilling = (
  environment: { STRIPE_API: string; STRIPE_SECRET_ID: string; STAGE: string },
  pace?: () => Promise<void>,
) =>
  billingOver(
    once(async () => (await import('./connection.ts')).connect(environment, pace)),
    environment.STAGE,
  );

/**
 * Our objects at Stripe: those with the mark of this stage, and subscriptions that support made with a marked
 * price (`domain/mark.ts`). The account may have other products and stages, even on a customer of ours: a
 * `Subscription` is always ours, and every call that ends, refunds or changes one takes it. `row`: the row of
 * the customer's user. All times are Unix seconds. `connection` is called on first use.
 */
export const billingOver = (connection: () => Promise<Connection>, stage: string) => ({
  stage,
  ...customers(connection, stage),
  ...subscriptions(connection, stage),
  ...endingsOnDemand(connection, stage),
  ...invoicesOnDemand(connection),
  ...checkoutSessions(connection, stage),
  ...events(connection),
});

export type Billing = ReturnType<typeof billingOver>;

/** Few requests show an invoice or write a mail. */
function invoicesOnDemand(connection: () => Promise<Connection>): ReturnType<typeof invoices> {
  const load = once(async () => (await import('./invoices.ts')).invoices(connection));
  return {
    invoicesOf: async (...of) => (await load()).invoicesOf(...of),
    nextChargeOf: async (...of) => (await load()).nextChargeOf(...of),
    lastPaidOf: async (...of) => (await load()).lastPaidOf(...of),
    failureCauseOf: async (...of) => (await load()).failureCauseOf(...of),
  };
}

/** Few requests end a subscription, so the module is loaded by the first that does. */
function endingsOnDemand(connection: () => Promise<Connection>, stage: string): ReturnType<typeof endings> {
  const load = once(async () => (await import('./endings.ts')).endings(connection, stage));
  return {
    cancelNow: async (...of) => (await load()).cancelNow(...of),
    markWithdrawn: async (...of) => (await load()).markWithdrawn(...of),
    cancelUnpaid: async (...of) => (await load()).cancelUnpaid(...of),
    refundAndCancel: async (...of) => (await load()).refundAndCancel(...of),
    voidInvoices: async (...of) => (await load()).voidInvoices(...of),
    refundSince: async (...of) => (await load()).refundSince(...of),
  };
}
