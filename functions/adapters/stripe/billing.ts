import type Stripe from 'stripe';
import type { Invoice } from '../../../schemas/invoice.ts';
import { plans } from '../../../schemas/product.ts';
import type { Subscription, Surplus } from '../../domain/decide-plan.ts';
import { once } from '../once.ts';
import { readStripeSecret } from '../secrets.ts';
import { payFromCustomer, portalOfCards } from './card-portal.ts';
import { closeInvoices } from './void-invoices.ts';
import { idOf } from './id-of.ts';
import { refundPeriod } from './refund-period.ts';
import { signatureHeader } from './signature-header.ts';
import { stripeErrors, unlessEnded, unlessMissing, unlessRefused } from './refusals.ts';

/** A Checkout Session, as far as we ask. */
export interface Checkout {
  id: string;
  /** Stripe's word: open, complete, expired, or one it adds later. */
  status: string | null;
  customerId: string | undefined;
  /** Present while it is open. */
  clientSecret: string | undefined;
  /** What it asks for, in cents. */
  amount: number | undefined;
  email: string | undefined;
  subscription: Subscription | undefined;
}

/** Stripe. Times are Unix seconds, as Stripe writes them. */
export interface Billing {
  createCustomer(person: { userId: string; email: string }): Promise<string>;
  /**
   * Ends what the customer still has, removes their cards, and "prevents any further operations to be performed (such as
   * adding a new subscription)" (Stripe's reference). Does nothing where the customer doesn't exist.
   */
  deleteCustomer(customerId: string): Promise<void>;
  /** All of them, ended ones too; none where the customer doesn't exist any more. */
  subscriptionsOf(customerId: string): Promise<Subscription[]>;
  /** Newest first, drafts left out; none where the customer doesn't exist any more. */
  invoicesOf(customerId: string): Promise<Invoice[]>;
  /** Opens an embedded checkout of Plus. Undefined where the customer doesn't exist any more. */
  openCheckout(order: {
    customerId: string;
    userId: string;
    /** With `{CHECKOUT_SESSION_ID}` where the id shall stand. */
    returnUrl: string;
  }): Promise<Checkout | undefined>;
  /** Undefined where Stripe knows no such session. */
  checkout(id: string): Promise<Checkout | undefined>;
  /** Does nothing to a session that isn't open. */
  expireCheckout(id: string): Promise<void>;
  /** Resolves with the subscription as it stands then; one that has ended stays as it is. */
  cancelAtPeriodEnd(subscriptionId: string): Promise<Subscription>;
  /** At once, without a refund. Does nothing to one that has ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  /**
   * Ends one that was not paid for when it was looked at, at once. What was paid for its period since then is given back, for
   * nothing comes of it. May be repeated.
   */
  endUnpaid(subscription: Subscription): Promise<void>;
  /** Does nothing to one that has ended. */
  liftCancellation(subscriptionId: string): Promise<void>;
  /**
   * Gives back what a subscription took for the period that isn't over, then ends it at once. Every step may be repeated.
   * Resolves with the subscription as it stands then.
   */
  refundAndEnd(subscription: Subscription): Promise<Subscription>;
  /**
   * Makes the open invoices of an ended subscription unpayable, gives back what was paid for it after its end, and marks it
   * as dealt with. Resolves with it as it stands then.
   */
  closeEnded(subscription: Subscription): Promise<Subscription>;
  /**
   * The address of Stripe's own page where the customer enters a new card, which comes back to `returnUrl`. What is tried
   * again from then on is tried with that card. Undefined where the customer doesn't exist any more.
   */
  portalForCard(customerId: string, returnUrl: string): Promise<string | undefined>;
  /** The user id in the customer's metadata. */
  userOf(customerId: string): Promise<string | undefined>;
  /** The event, if Stripe signed exactly these bytes in the last five minutes; undefined otherwise. */
  signedEvent(body: Buffer, signature: string): Promise<unknown>;
  /** Newest first. */
  eventsSince(since: Date): AsyncIterable<unknown>;
}

// Names our price in Stripe. What it costs stands in schemas/product.ts and nowhere else.
const PRICE_LOOKUP_KEY = `plus_${plans.plus.interval}ly`;

/** Stripe's own client, and what webhooks are signed with. */
interface Connection {
  stripe: Stripe;
  webhookSecret: string;
}

const THIN_EVENT = /"object"\s*:\s*"v2\.core\.event"/;

export const stripeBilling = (settings: { STRIPE_API: string; STRIPE_SECRET_ID: string }): Billing =>
  billingOver(
    once(async () => {
      const [{ default: StripeClient }, secret] = await Promise.all([
        import('stripe'),
        readStripeSecret(settings.STRIPE_SECRET_ID),
      ]);
      const { hostname, port, protocol } = new URL(settings.STRIPE_API);
      const stripe = new StripeClient(secret.secretKey, {
        host: hostname,
        ...(port && { port }),
        protocol: protocol === 'http:' ? 'http' : 'https',
        // Three tries of eight seconds and their pauses stay below the 29 s after which API Gateway gives up.
        timeout: 8_000,
        maxNetworkRetries: 2,
        telemetry: false,
      });
      return { stripe, webhookSecret: secret.webhookSecret };
    }),
  );

/** Stripe at the other end of a connection, which is made when it is first needed. */
export function billingOver(connection: () => Promise<Connection>): Billing {
  return {
    async createCustomer({ userId, email }) {
      const { stripe } = await connection();
      const customer = await stripe.customers.create({ email, metadata: { user_id: userId } });
      return customer.id;
    },

    async deleteCustomer(customerId) {
      const { stripe } = await connection();
      await unlessMissing(() => stripe.customers.del(customerId));
    },

    async subscriptionsOf(customerId) {
      const { stripe } = await connection();
      const subscriptions = await unlessMissing(() =>
        stripe.subscriptions
          .list({ customer: customerId, status: 'all', limit: 100 })
          // A person has one at a time; a thousand would be somebody's attack on this loop.
          .autoPagingToArray({ limit: 1_000 }),
      );
      return (subscriptions ?? []).map(subscriptionFrom);
    },

    async invoicesOf(customerId) {
      const { stripe } = await connection();
      // Twelve a year; a thousand are more than a lifetime.
      const [limit, most] = [100, { limit: 1_000 }];
      const customer = customerId;
      const [invoices, charges] = await Promise.all([
        unlessMissing(() =>
          stripe.invoices.list({ customer, limit, expand: ['data.payments'] }).autoPagingToArray(most),
        ),
        // What was given back stands on the charge and nowhere on the invoice.
        unlessMissing(() => stripe.charges.list({ customer, limit }).autoPagingToArray(most)),
      ]);
      const refunds = refundsByPayment(charges ?? []);
      // A draft may still change, and has no number and no page.
      return (invoices ?? [])
        .filter(({ status }) => status !== 'draft')
        .map((invoice) => invoiceFrom(invoice, refunds));
    },

    async openCheckout({ customerId, userId, returnUrl }) {
      const { stripe } = await connection();
      const price = await priceOfPlus(stripe);
      const metadata = { user_id: userId };
      const session = await unlessMissing(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          ui_mode: 'embedded_page',
          customer: customerId,
          client_reference_id: userId,
          line_items: [{ price, quantity: 1 }],
          return_url: returnUrl,
          metadata,
          subscription_data: { metadata },
        }),
      );
      return session && checkoutFrom(session);
    },

    async checkout(id) {
      const { stripe } = await connection();
      const session = await unlessMissing(() =>
        stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] }),
      );
      return session && checkoutFrom(session);
    },

    async expireCheckout(id) {
      const { stripe } = await connection();
      // Paid or expired meanwhile: whoever asked will see which when they next look.
      await unlessRefused(() => stripe.checkout.sessions.expire(id));
    },

    async cancelAtPeriodEnd(subscriptionId) {
      const { stripe } = await connection();
      const ending = await unlessEnded(stripe, subscriptionId, () =>
        stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }),
      );
      return subscriptionFrom(ending);
    },

    async endSubscription(subscriptionId) {
      const { stripe } = await connection();
      // To a cancellation one that has ended doesn't exist.
      await unlessMissing(() => stripe.subscriptions.cancel(subscriptionId));
    },

    async endUnpaid(subscription) {
      const { stripe } = await connection();
      // Ended first: from then on what somebody pays comes after its end, and is seen by `closeEnded`.
      await unlessMissing(() => stripe.subscriptions.cancel(subscription.id));
      await refundPeriod(stripe, subscription, 'late');
    },

    async liftCancellation(subscriptionId) {
      const { stripe } = await connection();
      const subscription = await stripe.subscriptions.retrieve(subscriptionId);
      // Stripe takes one of the two in a request; the portal sets a date, our own cancellation the flag.
      await unlessEnded(stripe, subscriptionId, () =>
        stripe.subscriptions.update(
          subscriptionId,
          subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
        ),
      );
    },

    async refundAndEnd(subscription) {
      const { stripe } = await connection();
      const mark = async (surplus: Surplus): Promise<Subscription> =>
        subscriptionFrom(await stripe.subscriptions.update(subscription.id, { metadata: { surplus } }));
      // Marked before anything is done, so that whoever goes on after a crash comes to no other conclusion.
      if (!subscription.surplus) await mark('found');
      const refunded = await refundPeriod(stripe, subscription, 'surplus');
      await unlessMissing(() => stripe.subscriptions.cancel(subscription.id));
      return mark(refunded ? 'refunded' : 'nothing-taken');
    },

    async closeEnded(subscription) {
      const { stripe } = await connection();
      await closeInvoices(stripe, await stripe.subscriptions.retrieve(subscription.id));
      return subscriptionFrom(
        await stripe.subscriptions.update(subscription.id, { metadata: { closed: 'yes' } }),
      );
    },

    async portalForCard(customerId, returnUrl) {
      const { stripe } = await connection();
      return unlessMissing(async () => {
        await payFromCustomer(stripe, customerId);
        const { url } = await stripe.billingPortal.sessions.create({
          customer: customerId,
          configuration: await portalOfCards(stripe),
          return_url: returnUrl,
          flow_data: {
            type: 'payment_method_update',
            after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
          },
        });
        return url;
      });
    },

    async userOf(customerId) {
      const { stripe } = await connection();
      const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
      return customer && !customer.deleted ? customer.metadata['user_id'] : undefined;
    },

    async signedEvent(body, signature) {
      const header = signatureHeader(signature);
      if (header === undefined) return undefined;
      const { stripe, webhookSecret } = await connection();
      const errors = await stripeErrors();
      try {
        return stripe.webhooks.constructEvent(body, header, webhookSecret);
      } catch (error) {
        if (error instanceof errors.StripeSignatureVerificationError) return undefined;
        // Signed, but not JSON of an event: nothing a retry would mend.
        if (error instanceof SyntaxError) return undefined;
        // Nor here: at a thin event of Stripe's second API the library throws once it has checked the signature.
        if (THIN_EVENT.test(body.toString('utf8'))) return {};
        throw error;
      }
    },

    async *eventsSince(since) {
      const { stripe } = await connection();
      yield* stripe.events.list({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 });
    },
  };
}

/** The price that stands in Stripe for what the site shows; made where it is missing or costs something else. */
async function priceOfPlus(stripe: Stripe): Promise<string> {
  const { priceInCents, currency, interval, name } = plans.plus;
  const { data } = await stripe.prices.list({
    lookup_keys: [PRICE_LOOKUP_KEY],
    active: true,
    limit: 1,
  });
  const [standing] = data;
  if (standing?.unit_amount === priceInCents && standing.currency === currency) return standing.id;
  const price = await stripe.prices.create({
    lookup_key: PRICE_LOOKUP_KEY,
    transfer_lookup_key: true,
    currency,
    unit_amount: priceInCents,
    recurring: { interval },
    ...(standing ? { product: idOf(standing.product) } : { product_data: { name } }),
  });
  return price.id;
}

const surplusWords = ['found', 'refunded', 'nothing-taken'] as const satisfies readonly Surplus[];

function subscriptionFrom(subscription: Stripe.Subscription): Subscription {
  // Stripe keeps the paid period on the items; with one item the subscription's is that item's.
  const currentPeriodEnd = Math.max(...subscription.items.data.map((item) => item.current_period_end));
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    userId: subscription.metadata['user_id'],
    status: subscription.status,
    createdAt: subscription.created,
    currentPeriodEnd,
    endsAt: subscription.cancel_at ?? (subscription.cancel_at_period_end ? currentPeriodEnd : undefined),
    surplus: surplusWords.find((word) => word === subscription.metadata['surplus']),
    closed: subscription.metadata['closed'] === 'yes',
  };
}

/** What was given back, in cents, by payment intent. */
function refundsByPayment(charges: readonly Stripe.Charge[]): ReadonlyMap<string, number> {
  const refunds = new Map<string, number>();
  for (const { payment_intent: intent, amount_refunded: amount } of charges) {
    if (intent && amount > 0) refunds.set(idOf(intent), (refunds.get(idOf(intent)) ?? 0) + amount);
  }
  return refunds;
}

function invoiceFrom(invoice: Stripe.Invoice, refunds: ReadonlyMap<string, number>): Invoice {
  const refunded = (invoice.payments?.data ?? [])
    .map(({ payment }) => (payment.payment_intent ? (refunds.get(idOf(payment.payment_intent)) ?? 0) : 0))
    .reduce((sum, amount) => sum + amount, 0);
  return {
    number: invoice.number,
    date: new Date(invoice.created * 1000).toISOString(),
    amount: invoice.total,
    ...(refunded > 0 && { refunded }),
    currency: invoice.currency,
    status: invoice.status,
    hosted_invoice_url: invoice.hosted_invoice_url ?? null,
    invoice_pdf: invoice.invoice_pdf ?? null,
  };
}

function checkoutFrom(session: Stripe.Checkout.Session): Checkout {
  const { subscription } = session;
  return {
    id: session.id,
    status: session.status,
    customerId: session.customer ? idOf(session.customer) : undefined,
    clientSecret: session.client_secret ?? undefined,
    amount: session.amount_total ?? undefined,
    email: session.customer_details?.email ?? session.customer_email ?? undefined,
    subscription:
      subscription && typeof subscription !== 'string' ? subscriptionFrom(subscription) : undefined,
  };
}
