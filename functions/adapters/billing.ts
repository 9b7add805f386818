import type Stripe from 'stripe';
import { plans } from '../../schemas/product.ts';
import type { Subscription } from '../domain/decide-plan.ts';
import { once } from './once.ts';
import { readStripeSecret } from './secrets.ts';

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
  /** All of them, ended ones too; none where the customer doesn't exist any more. */
  subscriptionsOf(customerId: string): Promise<Subscription[]>;
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
  /** Resolves with the subscription as it stands then. */
  cancelAtPeriodEnd(subscriptionId: string): Promise<Subscription>;
  /** At once, without a refund. */
  endSubscription(subscriptionId: string): Promise<void>;
  liftCancellation(subscriptionId: string): Promise<void>;
  /** The user id in the customer's metadata. */
  userOf(customerId: string): Promise<string | undefined>;
  /** The event, if Stripe signed exactly these bytes in the last five minutes; undefined otherwise. */
  signedEvent(body: Buffer, signature: string): Promise<unknown>;
  /** Newest first. */
  eventsSince(since: Date): AsyncIterable<unknown>;
}

// Names our price in Stripe. What it costs stands in schemas/product.ts and nowhere else.
const PRICE_LOOKUP_KEY = 'plus_monthly';

export function stripeBilling(settings: { STRIPE_API: string; STRIPE_SECRET_ID: string }): Billing {
  const connection = once(async () => {
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
  });

  return {
    async createCustomer({ userId, email }) {
      const { stripe } = await connection();
      const customer = await stripe.customers.create({ email, metadata: { user_id: userId } });
      return customer.id;
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
      const errors = await stripeErrors();
      try {
        await stripe.checkout.sessions.expire(id);
      } catch (error) {
        // Paid or expired meanwhile; whoever asked will see which when they next look.
        if (!(error instanceof errors.StripeInvalidRequestError)) throw error;
      }
    },

    async cancelAtPeriodEnd(subscriptionId) {
      const { stripe } = await connection();
      return subscriptionFrom(
        await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }),
      );
    },

    async endSubscription(subscriptionId) {
      const { stripe } = await connection();
      await stripe.subscriptions.cancel(subscriptionId);
    },

    async liftCancellation(subscriptionId) {
      const { stripe } = await connection();
      const subscription = await stripe.subscriptions.retrieve(subscriptionId);
      // Stripe takes one of the two in a request; the portal sets a date, our own cancellation the flag.
      await stripe.subscriptions.update(
        subscriptionId,
        subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
      );
    },

    async userOf(customerId) {
      const { stripe } = await connection();
      const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
      return customer && !customer.deleted ? customer.metadata['user_id'] : undefined;
    },

    async signedEvent(body, signature) {
      const { stripe, webhookSecret } = await connection();
      const errors = await stripeErrors();
      try {
        return stripe.webhooks.constructEvent(body, signature, webhookSecret);
      } catch (error) {
        if (error instanceof errors.StripeSignatureVerificationError) return undefined;
        // Signed, but not JSON of an event: nothing a retry would mend.
        if (error instanceof SyntaxError) return undefined;
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
  const { priceInCents, currency, name } = plans.plus;
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
    recurring: { interval: 'month' },
    ...(standing ? { product: idOf(standing.product) } : { product_data: { name } }),
  });
  return price.id;
}

/** Loaded already wherever there is an error to name. */
const stripeErrors = async () => (await import('stripe')).default.errors;

/** What `ask` resolves with; undefined where Stripe says that the thing doesn't exist. */
async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const errors = await stripeErrors();
    if (error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing') {
      return undefined;
    }
    throw error;
  }
}

const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

function subscriptionFrom(subscription: Stripe.Subscription): Subscription {
  // Stripe keeps the paid period on the items; with one item the subscription's is that item's.
  const currentPeriodEnd = Math.max(...subscription.items.data.map((item) => item.current_period_end));
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer),
    status: subscription.status,
    currentPeriodEnd,
    endsAt: subscription.cancel_at ?? (subscription.cancel_at_period_end ? currentPeriodEnd : undefined),
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
