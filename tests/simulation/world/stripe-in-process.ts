import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { inProcess } from '../../../infra/local/in-process/stripe-client.ts';
import { answerApi, type ApiAnswer, type ApiRequest } from '../../../infra/local/vendors/stripe/api.ts';
import { createPrice, createProduct } from '../../../infra/local/vendors/stripe/catalogue.ts';
import { changeCustomer } from '../../../infra/local/vendors/stripe/dashboard.ts';
import { runDueTasks } from '../../../infra/local/vendors/stripe/due-tasks.ts';
import { ConnectionDropped, type FaultName, Faults } from '../../../infra/local/vendors/stripe/faults.ts';
import { noRequest, Ledger } from '../../../infra/local/vendors/stripe/ledger.ts';
import { stripePricesOf } from '../../../schemas/product/stripe-prices.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { previewInvoice } from '../../../infra/local/vendors/stripe/subscriptions.ts';
import { answerPage } from '../../../infra/local/vendors/stripe/page-requests.ts';
import { interceptCall } from '../faults/actor.ts';
import { MemoryStore } from './memory-store.ts';
import type { SimulatedClock } from './simulated-time.ts';

const SECRET_KEY = 'sk_test_local';
const WEBHOOK_SECRET = 'whsec_local';
const ORIGIN = 'http://stripe.local';

type Answer = Pick<ApiAnswer, 'status' | 'headers' | 'body'>;

class ObservedFaults extends Faults {
  readonly #onFault: () => void;

  constructor(onFault: () => void) {
    super();
    this.#onFault = onFault;
  }

  override take(...request: Parameters<Faults['take']>): FaultName | undefined {
    const fault = super.take(...request);
    if (fault) this.#onFault();
    return fault;
  }
}

/**
 * The Stripe stand-in without a socket: Stripe's own client calls the stand-in's router, ledger and pages
 * through a custom transport. Events go to `onEvent` only, in order and once each. There is no webhook
 * delivery.
 */
export class StripeInProcess {
  readonly ledger: Ledger;
  /** The faults that the product's calls meet. */
  readonly faults: Faults;
  readonly #clock: SimulatedClock;
  /** Whether the prices exist. Nothing listens to their own events. */
  #sells = false;

  constructor(
    clock: SimulatedClock,
    { onEvent, onFault }: { onEvent: (event: Stripe.Event) => void; onFault: () => void },
  ) {
    answerProduct = (request) => this.#answerProduct(request);
    this.#clock = clock;
    this.faults = new ObservedFaults(onFault);
    this.ledger = new Ledger({
      clock,
      store: new MemoryStore(),
      origin: ORIGIN,
      onCommit: (ids) => {
        if (!this.#sells) return;
        for (const id of ids) {
          const recorded = this.ledger.events.get(id);
          if (recorded) onEvent(recorded.event as Stripe.Event);
        }
      },
    });
    this.ledger.transaction(noRequest, () => {
      for (const { product, prices } of stripePricesOf(STAGE)) {
        createProduct(this.ledger, product);
        for (const price of prices) createPrice(this.ledger, price);
      }
    });
    this.#sells = true;
  }

  /** The argument of `billingOver`. */
  readonly connection = async (): Promise<{ stripe: Stripe; webhookSecret: string }> => ({
    stripe: client,
    webhookSecret: WEBHOOK_SECRET,
  });

  /** A request from Stripe's dashboard or pages, without faults. Undefined when the request is refused. */
  request(method: 'GET' | 'POST' | 'DELETE', path: string, form: Record<string, string> = {}): unknown {
    const parameters = new URLSearchParams(form).toString();
    const answer = this.#answer(
      method,
      method === 'GET' ? `${path}?${parameters}` : path,
      { authorization: `Bearer ${SECRET_KEY}` },
      method === 'POST' ? parameters : '',
    );
    return answer.status === 200 ? JSON.parse(answer.body) : undefined;
  }

  /**
   * Submits the card form of a Stripe page, and returns what the page shows then. `authentication`: the
   * cardholder's answer to the bank.
   */
  enterCard(path: string, number: string, authentication?: 'accepted' | 'refused'): string | undefined {
    const card = { number, expiry: '12 / 50', cvc: '123', name: 'Ada Lovelace', authentication };
    const answer = answerPage(this.ledger, { method: 'POST', path, body: JSON.stringify(card) });
    return answer?.kind === 'form' ? answer.answer.kind : undefined;
  }

  /** Gives a customer a coupon, as Stripe's dashboard does. */
  changeCustomer(id: string, coupon: string): void {
    if (!this.ledger.customers.get(id)?.deleted) changeCustomer(this.ledger, id, { coupon });
  }

  /** The next invoice of a subscription, as Stripe's dashboard shows it. */
  previewOf(subscription: Stripe.Subscription): Stripe.Invoice | undefined {
    return previewInvoice(this.ledger, subscription);
  }

  /** Whether Stripe can finalize a customer's invoices. */
  setFinalizing(id: string, finalizes: boolean): void {
    if (finalizes) this.ledger.notFinalized.delete(id);
    else if (!this.ledger.customers.get(id)?.deleted) changeCustomer(this.ledger, id, { finalizes });
  }

  /** Emits an event that the stand-in cannot cause otherwise. */
  emit(type: Stripe.Event.Type, object: object): void {
    this.ledger.transaction(noRequest, () => this.ledger.emit(type, object));
  }

  /** The time of the next renewal, retry or other scheduled work, in epoch milliseconds. */
  nextDueTime(): number | undefined {
    const task = this.ledger.nextDueTask();
    return task && task.at * 1000;
  }

  /** Whether a payment will be settled later. */
  get isProcessing(): boolean {
    return this.ledger.paymentIntents.list().some(({ status }) => status === 'processing');
  }

  runDueTasks(): void {
    runDueTasks(this.ledger);
  }

  /** A webhook request for the event, signed with the current time. */
  signed(event: Stripe.Event): { rawBody: string; headers: Record<string, string> } {
    const rawBody = JSON.stringify(event);
    const seconds = Math.floor(this.#clock.now().getTime() / 1000);
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${seconds}.${rawBody}`).digest('hex');
    return { rawBody, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } };
  }

  /** The answer to the product, which can meet a fault. */
  #answerProduct(request: ApiRequest): Answer {
    try {
      const answer = answerApi(this.ledger, SECRET_KEY, request, this.faults);
      // The client would repeat the call at once, and meet the same.
      return { ...answer, headers: { ...answer.headers, 'stripe-should-retry': 'false' } };
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      return outOfReach;
    }
  }

  #answer(method: string, path: string, headers: Record<string, string>, body: string): ApiAnswer {
    const answer = answerApi(this.ledger, SECRET_KEY, { method, url: new URL(path, ORIGIN), headers, body });
    if (answer.status >= 500) throw new Error(`The stand-in failed at ${method} ${path}.`);
    return answer;
  }
}

const outOfReach = {
  status: 500,
  // Stops the client's own retries.
  headers: { 'stripe-should-retry': 'false' },
  body: JSON.stringify({ error: { type: 'api_error', message: 'Stripe is out of reach.' } }),
};

/** The answer of the newest simulation's stand-in: one simulation runs at a time. */
let answerProduct: (request: ApiRequest) => Answer;

// A new client takes longer than a short history.
/** Stripe's client, as the product's functions have it. */
export const client = new Stripe(SECRET_KEY, {
  // As in the product. With retries the client sends idempotency keys. A call that fails here is not
  // retried.
  maxNetworkRetries: 2,
  telemetry: false,
  httpClient: inProcess((request) => {
    const name = `${request.method} ${request.url.pathname.replaceAll(/\/[a-z]+_\w+/g, '/:id')}`;
    const call = { dependency: 'Stripe', name } as const;
    return interceptCall<Answer>(
      call,
      () => answerProduct(request),
      () => outOfReach,
    );
  }),
});
