import type Stripe from 'stripe';
import type { Clock } from '../../base/clock.ts';
import type { Collection, Store } from '../../base/store.ts';
import type { CardBehaviour } from './cards.ts';
import { newId } from './ids.ts';

// What the objects here look like. Typed so that an SDK for another version doesn't compile.
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

/** How far the telling of an event has come. `next` is epoch milliseconds. */
export type Delivery =
  | { state: 'pending'; attempts: number; lastStatus?: number; next: number }
  | { state: 'delivered' | 'failed'; attempts: number; lastStatus?: number };

export interface RecordedEvent {
  event: Stripe.EventBase;
  delivery: Delivery;
}

/** What a Checkout Session sells; Stripe shows it only to who asks for `line_items`. */
export interface Order {
  items: { id: string; price: string; quantity: number }[];
  subscriptionMetadata: Stripe.Metadata;
  subscriptionDescription: string | null;
}

/** Something that happens to an object by itself, in Unix seconds. */
export interface Appointment {
  kind: 'session' | 'subscription' | 'invoice';
  id: string;
  at: number;
}

/** The answer that an idempotency key replays. */
export interface KeptAnswer {
  key: string;
  fingerprint: string;
  route: string;
  status: number;
  body: string;
  requestId: string;
  /** Unix seconds. */
  at: number;
}

/** Who caused the events of a transaction; nulls where it happens by itself. */
export type Cause = Stripe.Event.Request;

export const byItself: Cause = { id: null, idempotency_key: null };

/** Everything Stripe knows, and the way to change it. */
export class Ledger {
  readonly customers: Collection<Stripe.Customer | Stripe.DeletedCustomer>;
  readonly products: Collection<Stripe.Product>;
  readonly prices: Collection<Stripe.Price>;
  readonly sessions: Collection<Stripe.Checkout.Session>;
  /** By session id. */
  readonly orders: Collection<Order>;
  readonly subscriptions: Collection<Stripe.Subscription>;
  readonly invoices: Collection<Stripe.Invoice>;
  /** By invoice id. */
  readonly invoicePayments: Collection<Stripe.InvoicePayment>;
  readonly paymentIntents: Collection<Stripe.PaymentIntent>;
  readonly charges: Collection<Stripe.Charge>;
  readonly refunds: Collection<Stripe.Refund>;
  readonly disputes: Collection<Stripe.Dispute>;
  readonly paymentMethods: Collection<Stripe.PaymentMethod>;
  /** By payment method id. */
  readonly cards: Collection<CardBehaviour>;
  readonly portalSessions: Collection<Stripe.BillingPortal.Session>;
  readonly portalConfigurations: Collection<Stripe.BillingPortal.Configuration>;
  readonly webhookEndpoints: Collection<Stripe.WebhookEndpoint>;
  readonly events: Collection<RecordedEvent>;
  readonly answers: Collection<KeptAnswer>;
  readonly origin: string;
  readonly #agenda: Collection<Appointment>;
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #committed: (eventIds: string[]) => void;
  #transaction: { cause: Cause; eventIds: string[] } | undefined;

  /** `committed` is told of every transaction that lasts, with the events it recorded. */
  constructor(options: {
    clock: Clock;
    store: Store;
    origin: string;
    committed: (eventIds: string[]) => void;
  }) {
    const { clock, store, origin, committed } = options;
    this.customers = store.collection('stripe/customers');
    this.products = store.collection('stripe/products');
    this.prices = store.collection('stripe/prices');
    this.sessions = store.collection('stripe/checkout-sessions');
    this.orders = store.collection('stripe/orders');
    this.subscriptions = store.collection('stripe/subscriptions');
    this.invoices = store.collection('stripe/invoices');
    this.invoicePayments = store.collection('stripe/invoice-payments');
    this.paymentIntents = store.collection('stripe/payment-intents');
    this.charges = store.collection('stripe/charges');
    this.refunds = store.collection('stripe/refunds');
    this.disputes = store.collection('stripe/disputes');
    this.paymentMethods = store.collection('stripe/payment-methods');
    this.cards = store.collection('stripe/cards');
    this.portalSessions = store.collection('stripe/portal-sessions');
    this.portalConfigurations = store.collection('stripe/portal-configurations');
    this.webhookEndpoints = store.collection('stripe/webhook-endpoints');
    this.events = store.collection('stripe/events');
    this.answers = store.collection('stripe/answers');
    this.#agenda = store.collection('stripe/agenda');
    this.origin = origin;
    this.#clock = clock;
    this.#store = store;
    this.#committed = committed;
  }

  /** Unix seconds of the local world. */
  now(): number {
    return Math.floor(this.#clock.now().getTime() / 1000);
  }

  /** Runs `work`, synchronous: all of it lasts, its events included, or nothing does. */
  transaction<T>(cause: Cause, work: () => T): T {
    const transaction = { cause, eventIds: [] };
    this.#transaction = transaction;
    try {
      const result = this.#store.transaction(work);
      this.#committed(transaction.eventIds);
      return result;
    } finally {
      this.#transaction = undefined;
    }
  }

  /** Records an event of `object` as it stands. `before`, of an update, is what it was. */
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

  /** Makes `at`, in Unix seconds, the moment when something next happens to this object by itself; undefined for never. */
  schedule(kind: Appointment['kind'], id: string, at: number | undefined): void {
    if (at === undefined) this.#agenda.delete(id);
    else this.#agenda.put(id, { kind, id, at });
  }

  /** What happens by itself next. */
  nextAppointment(): Appointment | undefined {
    return this.#agenda
      .list()
      .reduce<Appointment | undefined>(
        (earliest, one) => (earliest && earliest.at <= one.at ? earliest : one),
        undefined,
      );
  }
}

/** What of `before` isn't in `after`, as `previous_attributes` has it: objects by their keys, lists whole. */
function differences(before: object, after: object): Record<string, unknown> {
  // Maps, since metadata may have a key that every object inherits, like `constructor`.
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
