import type Stripe from 'stripe';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../base/store.ts';
import type { CardBehavior } from './cards.ts';
import { newId } from './ids.ts';

// The version of the objects here. The type makes an SDK of another version fail to compile.
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

/** Delivery state of an event. `next` is epoch milliseconds. */
export type Delivery =
  | { state: 'pending'; attempts: number; lastStatus?: number; next: number }
  | { state: 'delivered' | 'failed'; attempts: number; lastStatus?: number };

export interface RecordedEvent {
  event: Stripe.EventBase;
  delivery: Delivery;
}

/** The items of a Checkout Session. Stripe includes them only if `line_items` is expanded. */
export interface Order {
  items: { id: string; price: string; quantity: number }[];
  subscriptionMetadata: Stripe.Metadata;
}

/** The time when an object changes without a request. `at`: Unix seconds. */
export interface DueTask {
  kind: 'session' | 'subscription' | 'invoice' | 'payment' | 'refund';
  id: string;
  at: number;
}

export interface StoredResponse {
  key: string;
  fingerprint: string;
  route: string;
  status: number;
  body: string;
  requestId: string;
  /** Unix seconds. */
  at: number;
}

/** The request that caused a transaction's events. Nulls if there was no request. */
export type Cause = Stripe.Event.Request;

export const noRequest: Cause = { id: null, idempotency_key: null };

/** Holds the store, which a class's own fields can read only if its base class has set it. */
class Objects {
  readonly store: Pick<Store, 'collection' | 'transaction'>;

  constructor(store: Objects['store']) {
    this.store = store;
  }
}

/** All of Stripe's objects, and the transactions that change them. */
export class Ledger extends Objects {
  readonly customers = this.store.collection<Stripe.Customer | Stripe.DeletedCustomer>('stripe/customers');
  readonly products = this.store.collection<Stripe.Product>('stripe/products');
  readonly prices = this.store.collection<Stripe.Price>('stripe/prices');
  readonly sessions = this.store.collection<Stripe.Checkout.Session>('stripe/checkout-sessions');
  /** By session id. */
  readonly orders = this.store.collection<Order>('stripe/orders');
  readonly subscriptions = this.store.collection<Stripe.Subscription>('stripe/subscriptions');
  readonly schedules = this.store.collection<Stripe.SubscriptionSchedule>('stripe/subscription-schedules');
  readonly invoices = this.store.collection<Stripe.Invoice>('stripe/invoices');
  /** Items that no invoice has yet, and those that have one. */
  readonly invoiceItems = this.store.collection<Stripe.InvoiceItem>('stripe/invoice-items');
  readonly coupons = this.store.collection<Stripe.Coupon>('stripe/coupons');
  readonly discounts = this.store.collection<Stripe.Discount>('stripe/discounts');
  /** Customers, by id, whose invoices Stripe can't finalize, and why. */
  readonly notFinalized = this.store.collection<Stripe.Invoice.LastFinalizationError>('stripe/not-finalized');
  /** By invoice id. */
  readonly invoicePayments = this.store.collection<Stripe.InvoicePayment>('stripe/invoice-payments');
  readonly paymentIntents = this.store.collection<Stripe.PaymentIntent>('stripe/payment-intents');
  readonly charges = this.store.collection<Stripe.Charge>('stripe/charges');
  readonly refunds = this.store.collection<Stripe.Refund>('stripe/refunds');
  readonly paymentMethods = this.store.collection<Stripe.PaymentMethod>('stripe/payment-methods');
  /** By payment method id. */
  readonly cards = this.store.collection<CardBehavior>('stripe/cards');
  readonly portalSessions = this.store.collection<Stripe.BillingPortal.Session>('stripe/portal-sessions');
  readonly portalConfigurations = this.store.collection<Stripe.BillingPortal.Configuration>(
    'stripe/portal-configurations',
  );
  /** By customer id. Stripe includes them in a customer only if they are expanded. */
  readonly taxIds = this.store.collection<{ type: 'au_abn' | 'eu_vat' | 'gb_vat'; value: string }>(
    'stripe/tax-ids',
  );
  readonly paymentMethodDomains = this.store.collection<Stripe.PaymentMethodDomain>(
    'stripe/payment-method-domains',
  );
  readonly webhookEndpoints = this.store.collection<Stripe.WebhookEndpoint>('stripe/webhook-endpoints');
  readonly events = this.store.collection<RecordedEvent>('stripe/events');
  readonly idempotentResponses = this.store.collection<StoredResponse>('stripe/answers');
  readonly origin: string;
  readonly #dueTasks = this.store.collection<DueTask>('stripe/agenda');
  readonly #clock: Clock;
  readonly #onCommit: (eventIds: string[]) => void;
  #transaction: { cause: Cause; eventIds: string[] } | undefined;

  /** `onCommit` is called after every transaction with the ids of its events. */
  constructor(options: {
    clock: Clock;
    store: Objects['store'];
    origin: string;
    onCommit: (eventIds: string[]) => void;
  }) {
    const { clock, store, origin, onCommit } = options;
    super(store);
    this.origin = origin;
    this.#clock = clock;
    this.#onCommit = onCommit;
  }

  /** Unix seconds of the local world. */
  now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000);
  }

  /** Runs synchronous `work` in a transaction. If it throws, its changes and events are undone. */
  transaction<T>(cause: Cause, work: () => T): T {
    const transaction = { cause, eventIds: [] };
    this.#transaction = transaction;
    try {
      const result = this.store.transaction(work);
      this.#onCommit(transaction.eventIds);
      return result;
    } finally {
      this.#transaction = undefined;
    }
  }

  /** Records an event about `object`. `before` is the object before an update. */
  emit<T extends object>(type: Stripe.Event.Type, object: T, before?: T): void {
    if (!this.#transaction) throw new Error(`The event ${type} has to be part of a transaction.`);
    const previous = before && differences(before, object);
    if (previous && Object.keys(previous).length === 0) return;
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.now(),
      data: {
        object,
        ...(previous && { previous_attributes: previous }),
      },
      livemode: false,
      pending_webhooks: 1,
      request: this.#transaction.cause,
      type,
    } satisfies Stripe.EventBase;
    this.events.put(event.id, {
      event,
      delivery: { state: 'pending', attempts: 0, next: this.#clock.now().getTime() },
    });
    this.#transaction.eventIds.push(event.id);
  }

  /** Sets the time when this object next changes without a request, in Unix seconds. Undefined for never. */
  schedule(kind: DueTask['kind'], id: string, at: number | undefined): void {
    if (at === undefined) this.#dueTasks.delete(id);
    else this.#dueTasks.put(id, { kind, id, at });
  }

  nextDueTask(): DueTask | undefined {
    return this.#dueTasks
      .list()
      .reduce<DueTask | undefined>(
        (earliest, task) => (earliest && earliest.at <= task.at ? earliest : task),
        undefined,
      );
  }
}

/** The old values of changed fields, in the form of `previous_attributes`: objects by key, lists whole. */
function differences(before: object, after: object): Record<string, unknown> {
  // Maps, since metadata may have inherited names like `constructor` as keys.
  const old = new Map<string, unknown>(Object.entries(before));
  const current = new Map<string, unknown>(Object.entries(after));
  const changes = new Map<string, unknown>();
  for (const key of new Set([...old.keys(), ...current.keys()])) {
    const [a, b] = [old.get(key), current.get(key)];
    if (JSON.stringify(a) === JSON.stringify(b)) continue;
    changes.set(key, isObject(a) && isObject(b) ? differences(a, b) : (a ?? null));
  }
  return Object.fromEntries(changes);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
