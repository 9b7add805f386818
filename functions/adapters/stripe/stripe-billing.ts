import { once } from '../once.ts';
import type { Billing } from './billing.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import type { Connection } from './connection.ts';
import { customers } from './customers.ts';
import { endings } from './endings.ts';
import { events } from './events.ts';
import { invoices } from './invoices.ts';
import { subscriptions } from './subscriptions.ts';

export const stripeBilling = (environment: {
  STRIPE_API: string;
  STRIPE_SECRET_ID: string;
  STAGE: string;
}): Billing =>
  billingOver(
    once(async () => (await import('./connection.ts')).connect(environment)),
    environment.STAGE,
  );

/** `connection` is called on first use. `stage`: the stage whose mark is on our objects. */
export const billingOver = (connection: () => Promise<Connection>, stage: string): Billing => ({
  stage,
  ...customers(connection, stage),
  ...subscriptions(connection, stage),
  ...endings(connection, stage),
  ...invoices(connection),
  ...checkoutSessions(connection, stage),
  ...events(connection),
});
