import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import type { Store } from '../../infra/local/base/store.ts';
import { answerApi, type ApiAnswer } from '../../infra/local/vendors/stripe/api.ts';
import { runDueTasks } from '../../infra/local/vendors/stripe/due-tasks.ts';
import { noRequest, Ledger } from '../../infra/local/vendors/stripe/ledger.ts';
import { answerPage } from '../../infra/local/vendors/stripe/page-requests.ts';
import { calling } from './turns.ts';
import type { HeldClock } from './world-time.ts';

const SECRET_KEY = 'sk_test_local';
const WEBHOOK_SECRET = 'whsec_local';
const ORIGIN = 'http://stripe.local';

/**
 * The stand-in for Stripe without a socket: the same router, ledger and pages, reached by Stripe's own client through a transport
 * that calls them. Whoever it is told to hears of every event, in order and once; nobody else does.
 */
export class StripeInProcess {
  readonly ledger: Ledger;
  readonly #clock: HeldClock;

  constructor(clock: HeldClock, store: Store, heard: (event: Stripe.Event) => void) {
    this.#clock = clock;
    this.ledger = new Ledger({
      clock,
      store,
      origin: ORIGIN,
      committed: (ids) => {
        for (const id of ids) {
          const recorded = this.ledger.events.get(id);
          if (recorded) heard(recorded.event as Stripe.Event);
        }
      },
    });
  }

  /** What `billingOver` asks for. */
  readonly connection = async (): Promise<{ stripe: Stripe; webhookSecret: string }> => ({
    stripe: this.#client,
    webhookSecret: WEBHOOK_SECRET,
  });

  /** A request of support, or of a page of Stripe's own: nothing befalls it. Undefined where it was refused. */
  ask(method: 'GET' | 'POST' | 'DELETE', path: string, form: Record<string, string> = {}): unknown {
    const parameters = new URLSearchParams(form).toString();
    const answer = this.#answer(
      method,
      method === 'GET' ? `${path}?${parameters}` : path,
      { authorization: `Bearer ${SECRET_KEY}` },
      method === 'POST' ? parameters : '',
    );
    return answer.status === 200 ? JSON.parse(answer.body) : undefined;
  }

  /** Sends the card form of one of its pages; whether it was taken. */
  enterCard(path: string, number: string): boolean {
    const card = { number, expiry: '12 / 50', cvc: '123', name: 'Ada Lovelace' };
    return answerPage(this.ledger, { method: 'POST', path, body: JSON.stringify(card) })?.status === 200;
  }

  /** Something that the stand-in has no page for. */
  emit(type: Stripe.Event.Type, object: object): void {
    this.ledger.transaction(noRequest, () => this.ledger.emit(type, object));
  }

  /** When something happens next by itself, epoch milliseconds. */
  nextMoment(): number | undefined {
    const appointment = this.ledger.nextDueTask();
    return appointment && appointment.at * 1000;
  }

  doWhatIsDue(): void {
    runDueTasks(this.ledger);
  }

  /** An event as it is sent now. */
  signed(event: Stripe.Event): { rawBody: string; headers: Record<string, string> } {
    const rawBody = JSON.stringify(event, null, 2);
    const seconds = Math.floor(this.#clock.now().getTime() / 1000);
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${seconds}.${rawBody}`).digest('hex');
    return { rawBody, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } };
  }

  #answer(method: string, path: string, headers: Record<string, string>, body: string): ApiAnswer {
    const answer = answerApi(this.ledger, SECRET_KEY, { method, url: new URL(path, ORIGIN), headers, body });
    if (answer.status >= 500) throw new Error(`The stand-in failed at ${method} ${path}.`);
    return answer;
  }

  readonly #client = new Stripe(SECRET_KEY, {
    // As the product has it. A client that retries sends idempotency keys; a call that fails here has failed for good.
    maxNetworkRetries: 2,
    telemetry: false,
    httpClient: {
      getClientName: () => 'in-process',
      makeRequest: async (_host, _port, path, method, headers, data) => {
        const lower = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
        );
        const name = `${method} ${path.replace(/\?.*/, '').replaceAll(/\/[a-z]+_\w+/g, '/:id')}`;
        const answer = await calling<Pick<ApiAnswer, 'status' | 'headers' | 'body'>>(
          { party: 'Stripe', name },
          () => this.#answer(method, path, lower, data ?? ''),
          () => outOfReach,
        );
        return {
          getStatusCode: () => answer.status,
          getHeaders: () => answer.headers,
          getRawResponse: () => answer,
          toStream: () => {
            throw new Error('Nothing here is a stream.');
          },
          toJSON: async (): Promise<unknown> => JSON.parse(answer.body),
        };
      },
    },
  });
}

const outOfReach = {
  status: 500,
  // The client's own retries are spent.
  headers: { 'stripe-should-retry': 'false' },
  body: JSON.stringify({ error: { type: 'api_error', message: 'Stripe is out of reach.' } }),
};
