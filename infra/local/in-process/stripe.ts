import { type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import type { Clock } from '../base/clock.ts';
import { listen } from '../base/loopback.ts';
import type { Store } from '../base/store.ts';
import type { Entry } from '../vendors/stripe/page-requests.ts';
import { StripeService } from '../vendors/stripe/service.ts';
import { inProcess as inProcessClient } from './stripe-client.ts';

const SECRET_KEY = 'sk_test_local';
const WEBHOOK_SECRET = 'whsec_local';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  event: Stripe.Event;
}

interface FormAnswer {
  status: number;
  kind: 'challenge' | 'done' | 'invalid' | 'refused';
  returnUrl?: string;
  message?: string;
  problems?: Record<string, string>;
}

const goodCard: Entry = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 50',
  cvc: '123',
  name: 'Ada Lovelace',
  authentication: 'accepted',
};

export interface StripeAsked {
  /** Clients use no connection, and there is no webhook endpoint. */
  inProcess?: boolean;
  /** The metadata of buyers and of their subscriptions. */
  metadata?: Record<string, string>;
}

/** Stripe's stand-in with a webhook endpoint and a client. */
export async function startStripe(
  { clock, store }: { clock: Clock; store: Store },
  { inProcess = false, metadata = {} }: StripeAsked,
) {
  const received: Received[] = [];
  /** The endpoint's next response. */
  const receiver: { answer: (received: Received) => number | Promise<number> } = { answer: () => 200 };

  const endpoint = await listen(0, (request, response) => {
    void text(request).then(async (body) => {
      const webhookRequest = { headers: request.headers, body, event: JSON.parse(body) as Stripe.Event };
      received.push(webhookRequest);
      response.writeHead(await receiver.answer(webhookRequest)).end();
    });
  });
  const server = await listen(0, (request, response) => running.service.handle(request, response));
  const origin = `http://127.0.0.1:${server.port}`;
  const createService = (): StripeService =>
    new StripeService({
      clock,
      store,
      origin,
      secretKey: SECRET_KEY,
      webhook: inProcess
        ? undefined
        : { url: `http://127.0.0.1:${endpoint.port}/api/stripe/webhook`, secret: WEBHOOK_SECRET },
    });
  /** The address of the stand-in and, in process, the transport. */
  const connection: Stripe.StripeConfig = {
    host: '127.0.0.1',
    port: server.port,
    protocol: 'http',
    ...(inProcess && { httpClient: inProcessClient((request) => running.service.answerApi(request)) }),
  };
  const stripe = new Stripe(SECRET_KEY, { ...connection, maxNetworkRetries: 0, telemetry: false });

  const running = {
    service: createService(),
    stripe,
    connection,
    clock,
    origin,
    /** All requests to the webhook endpoint, including refused ones. */
    received,
    receiver,
    /** Unix seconds of the local world. */
    now: (): number => Math.floor(clock.now().getTime() / 1000),
    /** Verifies the signature with the SDK, at the clock's time. */
    verified: ({ body, headers }: Received): Stripe.Event =>
      stripe.webhooks.constructEvent(
        body,
        String(headers['stripe-signature']),
        WEBHOOK_SECRET,
        300,
        undefined,
        clock.now().getTime(),
      ),
    monthlyPrice: (): Promise<Stripe.Price> =>
      stripe.prices.create({
        lookup_key: 'plus_monthly',
        currency: 'usd',
        unit_amount: 500,
        recurring: { interval: 'month' },
        product_data: { name: 'Plus' },
      }),
    /** Submits a card like the form in the embedded frame. */
    async submitCard(
      session: Pick<Stripe.Checkout.Session, 'client_secret'>,
      card: Partial<Entry> = {},
    ): Promise<FormAnswer> {
      const response = await fetch(`${origin}/embedded/${session.client_secret}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ ...goodCard, ...card }),
      });
      return { status: response.status, ...((await response.json()) as Omit<FormAnswer, 'status'>) };
    },
    /** An open checkout of the monthly price for a new customer. */
    async openCheckout(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
      const customer = await stripe.customers.create({ email: 'ada@example.com', metadata });
      const prices = await stripe.prices.list({ lookup_keys: ['plus_monthly'] });
      const price = prices.data[0] ?? (await running.monthlyPrice());
      const session = await stripe.checkout.sessions.create({
        mode: 'subscription',
        ui_mode: 'embedded_page',
        customer: customer.id,
        line_items: [{ price: price.id, quantity: 1 }],
        return_url: 'http://localhost:3000/checkout/return?session_id={CHECKOUT_SESSION_ID}',
        subscription_data: { metadata },
        ...params,
      });
      return { customer, session };
    },
    /** A customer who has paid with `card`. */
    async subscribe(card: Partial<Entry> = {}) {
      const { customer, session: open } = await running.openCheckout();
      await running.submitCard(open, card);
      const session = await stripe.checkout.sessions.retrieve(open.id);
      const subscription = await stripe.subscriptions.retrieve(session.subscription as string);
      return { customer, session, subscription };
    },
    /** Replaces the service by a new one on the same store, like after a crash. */
    async restart(): Promise<void> {
      await running.service.stop();
      running.service = createService();
    },
    async stop(): Promise<void> {
      await running.service.stop();
      await Promise.all([server.close(), endpoint.close()]);
    },
  };
  return running;
}

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;
