import type Stripe from 'stripe';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
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

/** The stored response of an idempotency key. */
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

/** All of Stripe's objects, and the transactions that change them. */
export class Ledger {
  readonly customers: Collection<Stripe.Customer | Stripe.DeletedCustomer>;
  readonly products: Collection<Stripe.Product>;
  readonly prices: Collection<Stripe.Price>;
  readonly sessions: Collection<Stripe.Checkout.Session>;
  /** By session id. */
  readonly orders: Collection<Order>;
  readonly subscriptions: Collection<Stripe.Subscription>;
  readonly schedules: Collection<Stripe.SubscriptionSchedule>;
  readonly invoices: Collection<Stripe.Invoice>;
  /** Items that no invoice has yet, and those that have one. */
  readonly invoiceItems: Collection<Stripe.InvoiceItem>;
  readonly coupons: Collection<Stripe.Coupon>;
  readonly discounts: Collection<Stripe.Discount>;
  /** Customers, by id, whose invoices Stripe can't finalize, and why. */
  readonly notFinalized: Collection<Stripe.Invoice.LastFinalizationError>;
  /** By invoice id. */
  readonly invoicePayments: Collection<Stripe.InvoicePayment>;
  readonly paymentIntents: Collection<Stripe.PaymentIntent>;
  readonly charges: Collection<Stripe.Charge>;
  readonly refunds: Collection<Stripe.Refund>;
  readonly paymentMethods: Collection<Stripe.PaymentMethod>;
  /** By payment method id. */
  readonly cards: Collection<CardBehavior>;
  readonly portalSessions: Collection<Stripe.BillingPortal.Session>;
  readonly portalConfigurations: Collection<Stripe.BillingPortal.Configuration>;
  /** By customer id. Stripe includes them in a customer only if they are expanded. */
  readonly taxIds: Collection<{ type: 'au_abn' | 'eu_vat' | 'gb_vat'; value: string }>;
  readonly paymentMethodDomains: Collection<Stripe.PaymentMethodDomain>;
  readonly webhookEndpoints: Collection<Stripe.WebhookEndpoint>;
  readonly events: Collection<RecordedEvent>;
  readonly idempotentResponses: Collection<StoredResponse>;
  readonly origin: string;
  readonly #dueTasks: Collection<DueTask>;
  readonly #clock: Clock;
  readonly #store: Pick<Store, 'transaction'>;
  readonly #onCommit: (eventIds: string[]) => void;
  #transaction: { cause: Cause; eventIds: string[] } | undefined;

  /** `onCommit` is called after every transaction with the ids of its events. */
  constructor(options: {
    clock: Clock;
    store: Pick<Store, 'collection' | 'transaction'>;
    origin: string;
    onCommit: (eventIds: string[]) => void;
  }) {
    const { clock, store, origin, onCommit } = options;
    this.customers = store.collection('stripe/customers');
    this.products = store.collection('stripe/products');
    this.prices = store.collection('stripe/prices');
    this.sessions = store.collection('stripe/checkout-sessions');
    this.orders = store.collection('stripe/orders');
    this.subscriptions = store.collection('stripe/subscriptions');
    this.schedules = store.collection('stripe/subscription-schedules');
    this.invoices = store.collection('stripe/invoices');
    this.invoiceItems = store.collection('stripe/invoice-items');
    this.coupons = store.collection('stripe/coupons');
    this.discounts = store.collection('stripe/discounts');
    this.notFinalized = store.collection('stripe/not-finalized');
    this.invoicePayments = store.collection('stripe/invoice-payments');
    this.paymentIntents = store.collection('stripe/payment-intents');
    this.charges = store.collection('stripe/charges');
    this.refunds = store.collection('stripe/refunds');
    this.paymentMethods = store.collection('stripe/payment-methods');
    this.cards = store.collection('stripe/cards');
    this.portalSessions = store.collection('stripe/portal-sessions');
    this.portalConfigurations = store.collection('stripe/portal-configurations');
    this.taxIds = store.collection('stripe/tax-ids');
    this.paymentMethodDomains = store.collection('stripe/payment-method-domains');
    this.webhookEndpoints = store.collection('stripe/webhook-endpoints');
    this.events = store.collection('stripe/events');
    this.idempotentResponses = store.collection('stripe/answers');
    this.#dueTasks = store.collection('stripe/agenda');
    this.origin = origin;
    this.#clock = clock;
    this.#store = store;
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
      const result = this.#store.transaction(work);
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

  /** The earliest due time of all objects. */
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
