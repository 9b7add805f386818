import type Stripe from 'stripe';
import { agreementIn } from '../../domain/agreement.ts';
import { isOurs } from '../../domain/mark.ts';
import { once } from '../once.ts';
import type { Subscription } from '../../domain/subscription.ts';
import type { Connection } from './connection.ts';
import { idOf } from './id-of.ts';
import type { Order } from './new-session.ts';
import { unlessCustomerGone, unlessMissing } from './refusals.ts';
import { SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';

export const checkoutSessions = (connection: () => Promise<Connection>, stage: string) => {
  // Imported on demand: few functions open checkouts.
  const opener = once(async () => (await import('./new-session.ts')).sessionOpener(stage));
  return {
    /** Undefined without the customer. `other-currency`: support has charged it in another currency. */
    async createSession(order: Order) {
      const [{ stripe }, open] = await Promise.all([connection(), opener()]);
      const session = await open(stripe, order);
      return session === 'other-currency' ? session : session && toCheckout(session, undefined);
    },

    /** Undefined if Stripe has no such session of ours. */
    async checkout(id: string) {
      const { stripe } = await connection();
      const expand = [`subscription.${SUBSCRIPTION_EXPANSION}`, 'invoice'];
      const session = await unlessMissing(() => stripe.checkout.sessions.retrieve(id, { expand }));
      if (!session || !isOurs(session.metadata, stage)) return undefined;
      // A subscription made by a session of ours is ours.
      const { subscription } = session;
      return toCheckout(session, isExpanded(subscription) ? toSubscription(subscription, stage) : undefined);
    },

    /** Does nothing to a session that isn't open. */
    async expireCheckout(id: string) {
      await expireUnlessClosed((await connection()).stripe, id);
    },

    /** Expires all open sessions of ours for the customer, also those that no row names any more. */
    async expireCheckoutsOf(customerId: string) {
      const { stripe } = await connection();
      const open = await unlessCustomerGone(stripe, customerId, () =>
        stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 }),
      );
      for (const session of open?.data ?? []) {
        if (isOurs(session.metadata, stage)) await expireUnlessClosed(stripe, session.id);
      }
    },
  };
};

async function expireUnlessClosed(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    // Stripe refuses if the session was paid or has expired meanwhile. The caller reads which.
    const session = await unlessMissing(() => stripe.checkout.sessions.retrieve(id));
    if (session?.status === 'open') throw error;
  }
}

const isExpanded = <T extends object>(field: string | T | null): field is T =>
  field !== null && typeof field !== 'string';

function toCheckout(session: Stripe.Checkout.Session, subscription: Subscription | undefined) {
  const { amount_total: total, currency } = session;
  const tax = session.total_details?.amount_tax ?? 0;
  return {
    id: session.id,
    /** Stripe's status: open, complete, expired, or one that Stripe adds later. */
    status: session.status,
    customerId: session.customer ? idOf(session.customer) : undefined,
    /** Present while the session is open. */
    clientSecret: session.client_secret ?? undefined,
    /** Unix seconds. */
    expiresAt: session.expires_at,
    /** Whether Stripe computes taxes for the session and its subscription. */
    automaticTax: session.automatic_tax.enabled,
    /** The buyer's agreement once the session is paid. Undefined for a session from before. */
    agreement: agreementIn(session.metadata),
    /** The total and the taxes in it. */
    price: total !== null && currency ? { total, tax, currency } : undefined,
    /** Stripe's page of the first invoice. Undefined before the payment. */
    receiptUrl: (isExpanded(session.invoice) && session.invoice.hosted_invoice_url) || undefined,
    email: session.customer_details?.email ?? session.customer_email ?? undefined,
    subscription,
  };
}
export type Checkout = ReturnType<typeof toCheckout>;
