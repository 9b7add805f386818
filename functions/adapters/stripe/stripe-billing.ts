import { once } from '../once.ts';
import type { Billing } from './billing.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import type { Connection } from './connection.ts';
import { customers } from './customers.ts';
import type { Endings } from './endings.ts';
import { events } from './events.ts';
import type { Invoices } from './invoices.ts';
import { subscriptions } from './subscriptions.ts';

/** `pace`: waits until the next request may be sent. @default requests don't wait */
export const stripeBilling = (
  environment: { STRIPE_API: string; STRIPE_SECRET_ID: string; STAGE: string },
  pace?: () => Promise<void>,
): Billing =>
  billingOver(
    once(async () => (await import('./connection.ts')).connect(environment, pace)),
    environment.STAGE,
  );

/** `connection` is called on first use. `stage`: the stage whose mark is on our objects. */
export const billingOver = (connection: () => Promise<Connection>, stage: string): Billing => ({
  stage,
  ...customers(connection, stage),
  ...subscriptions(connection, stage),
  ...endingsOnDemand(connection, stage),
  ...invoicesOnDemand(connection),
  ...checkoutSessions(connection, stage),
  ...events(connection),
});

/** Few requests show an invoice or write a mail. */
function invoicesOnDemand(connection: () => Promise<Connection>): Invoices {
  const load = once(async () => (await import('./invoices.ts')).invoices(connection));
  return {
    invoicesOf: async (...of) => (await load()).invoicesOf(...of),
    nextChargeOf: async (...of) => (await load()).nextChargeOf(...of),
    lastPaidOf: async (...of) => (await load()).lastPaidOf(...of),
    failureCauseOf: async (...of) => (await load()).failureCauseOf(...of),
  };
}

/** Few requests end a subscription, so the module is loaded by the first that does. */
function endingsOnDemand(connection: () => Promise<Connection>, stage: string): Endings {
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
