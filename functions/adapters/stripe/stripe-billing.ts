import { once } from '../once.ts';
import type { Billing } from './billing.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import type { Connection } from './connection.ts';
import { customers } from './customers.ts';
import { endings } from './endings.ts';
import { events } from './events.ts';
import { invoices } from './invoices.ts';
import { subscriptions } from './subscriptions.ts';

export const stripeBilling = (environment: { STRIPE_API: string; STRIPE_SECRET_ID: string }): Billing =>
  billingOver(once(async () => (await import('./connection.ts')).connect(environment)));

/** `connection` is made when it is first needed. */
export const billingOver = (connection: () => Promise<Connection>): Billing => ({
  ...customers(connection),
  ...subscriptions(connection),
  ...endings(connection),
  ...invoices(connection),
  ...checkoutSessions(connection),
  ...events(connection),
});
