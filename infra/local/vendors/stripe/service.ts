import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Stripe from 'stripe';
import type { Clock, Timed } from '../../base/clock.ts';
import { isBrokenOff, readBody } from '../../base/http-body.ts';
import type { Store } from '../../base/store.ts';
import { type ApiAnswer, type ApiRequest, answerApi, errorJson } from './api.ts';
import { changeCustomer, type CustomerChange } from './dashboard.ts';
import { runDueTasks } from './due-tasks.ts';
import { unknownRoute } from './errors.ts';
import { ConnectionDropped, Faults } from './faults.ts';
import { deleteExpiredResponses } from './idempotency.ts';
import { idOf } from './ids.ts';
import { API_VERSION, Ledger } from './ledger.ts';
import { answerPage } from './page-requests.ts';
import { Webhooks } from './webhooks.ts';

export interface StripeOptions {
  clock: Clock;
  store: Store;
  /** Origin of the stand-in, e.g. http://localhost:3002 */
  origin: string;
  secretKey: string;
  /** The webhook endpoint, and the secret that signs its events. Without it, events are only listed. */
  webhook?: { url: string; secret: string } | undefined;
}

/** An event as the console shows it. `created` in Unix seconds; `data` is the event's object. */
export type ListedEvent = ReturnType<StripeService['listEvents']>[number];

/** A subscription as the console shows it. `data` is Stripe's object. */
export type ListedSubscription = ReturnType<StripeService['listSubscriptions']>[number];

const assets: Record<string, { file: string; type: string }> = {
  '/page/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
  '/page/card-form.js': { file: 'card-form.js', type: 'text/javascript; charset=utf-8' },
};

const readAsset = (file: string): string => readFileSync(new URL(`page/${file}`, import.meta.url), 'utf8');

// Far more than Stripe's API accepts.
const LARGEST_BODY = 1024 * 1024;

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A stand-in for Stripe, for unmodified stripe-node and embedded checkout. All state is in the store. */
export class StripeService {
  readonly #clock: Clock;
  readonly #ledger: Ledger;
  readonly #webhooks: Webhooks | undefined;
  readonly #timed: Timed;
  readonly #options: StripeOptions;
  /** Faults for the next requests, in tests. */
  readonly faults = new Faults();

  constructor(options: StripeOptions) {
    const { clock, store, origin, webhook } = options;
    this.#options = options;
    this.#clock = clock;
    this.#ledger = new Ledger({
      clock,
      store,
      origin,
      onCommit: (eventIds) => {
        this.#webhooks?.enqueue(eventIds);
        clock.reschedule();
      },
    });
    this.#webhooks = webhook && new Webhooks({ clock, events: this.#ledger.events, target: webhook });
    this.#timed = {
      jump: 'each',
      nextDue: () => {
        const task = this.#ledger.nextDueTask();
        const due = Math.min(task ? task.at * 1000 : Infinity, this.#webhooks?.nextDue() ?? Infinity);
        return due === Infinity ? undefined : due;
      },
      run: async () => {
        runDueTasks(this.#ledger);
        await this.allDelivered();
      },
    };
    deleteExpiredResponses(this.#ledger);
    clock.register(this.#timed);
  }

  /** Request listener for the stand-in's own port. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#answer(request, response).catch((error: unknown) => {
      if (!(error instanceof ConnectionDropped) && !isBrokenOff(request)) console.error(error);
      response.destroy();
    });
  };

  answerApi(request: ApiRequest): ApiAnswer {
    return answerApi(this.#ledger, this.#options.secretKey, request, this.faults);
  }

  /** Source of the classic script that defines `window.Stripe` for this origin. */
  browserScript(): string {
    // The part after the date is the release train, which stripe-js compares with its own.
    const releaseTrain = API_VERSION.split('.')[1] ?? '';
    return readAsset('stripe.js')
      .replace('{{origin}}', this.#options.origin)
      .replace('{{releaseTrain}}', releaseTrain);
  }

  /** Newest first. */
  listEvents() {
    return this.#ledger.events
      .list()
      .toReversed()
      .map(({ event, delivery }) => ({
        id: event.id,
        type: event.type,
        created: event.created,
        delivery: delivery.state,
        attempts: delivery.attempts,
        // The HTTP status of the last attempt. Absent if there was no response.
        ...(delivery.lastStatus !== undefined && { lastStatus: delivery.lastStatus }),
        data: event.data.object,
      }));
  }

  /** Oldest first, including deleted customers. */
  listCustomers(): (Stripe.Customer | Stripe.DeletedCustomer)[] {
    return this.#ledger.customers.list();
  }

  /** Oldest first. */
  listSubscriptions() {
    return this.#ledger.subscriptions
      .list()
      .map((data) => ({ id: data.id, customer: idOf(data.customer), status: data.status, data }));
  }

  changeCustomer(id: string, change: CustomerChange): void {
    changeCustomer(this.#ledger, id, change);
  }

  async resend(eventId: string): Promise<boolean> {
    return (await this.#webhooks?.resend(eventId)) ?? false;
  }

  async allDelivered(): Promise<void> {
    await this.#webhooks?.allDelivered();
  }

  async stop(): Promise<void> {
    this.#clock.unregister(this.#timed);
    await this.#webhooks?.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const url = URL.parse(request.url ?? '/', this.#options.origin);
    const body = (await readBody(request, LARGEST_BODY))?.toString();
    if (!url || body === undefined) {
      const message = url ? 'The request is too large.' : 'The address can not be read.';
      response.writeHead(url ? 413 : 400, { 'content-type': 'application/json' });
      response.end(errorJson({ type: 'invalid_request_error', message }));
      return;
    }
    if (url.pathname.startsWith('/v1/')) {
      const answer = this.answerApi({ method, url, headers: request.headers, body });
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    const asset = method === 'GET' && Object.hasOwn(assets, url.pathname) ? assets[url.pathname] : undefined;
    if (asset) {
      response.writeHead(200, { 'content-type': asset.type, 'x-content-type-options': 'nosniff' });
      response.end(readAsset(asset.file));
      return;
    }
    this.#answerPage(request, response, { method, path: url.pathname, body });
  }

  #answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    pageRequest: { method: string; path: string; body: string },
  ): void {
    if (pageRequest.method === 'POST' && !isOwnForm(request)) {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(
        errorJson({ type: 'invalid_request_error', message: 'Only its own pages may send this.' }),
      );
      return;
    }
    const answer = answerPage(this.#ledger, pageRequest);
    if (!answer) {
      const refusal = unknownRoute(pageRequest.method, pageRequest.path);
      response.writeHead(refusal.status, { 'content-type': 'application/json' });
      response.end(errorJson(refusal.body));
    } else if (answer.kind === 'page') {
      response.writeHead(answer.status, pageHeaders).end(answer.html);
    } else {
      response.writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(answer.answer));
    }
  }
}

/** Another site can't send JSON without a CORS preflight, nor fake the Origin. */
function isOwnForm({ headers }: IncomingMessage): boolean {
  const json = headers['content-type']?.startsWith('application/json') ?? false;
  return json && (headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host);
}
