import { setTimeout as delay } from 'node:timers/promises';
import { Stripe } from 'stripe';
import type { Clock } from '../base/clock.ts';
import { sentenceOf, StartFailure } from '../base/start-failure.ts';
import type { Collection, Store } from '../base/store.ts';

/** API keys of Stripe's own test mode, which can replace the stand-in. */
export interface StripeKeys {
  secretKey: string;
  publishableKey: string;
}

/** Test keys from the environment, or undefined. Refuses live keys and an incomplete pair. */
export function stripeKeysOf(environment: {
  readonly [Name in 'STRIPE_SECRET_KEY' | 'STRIPE_PUBLISHABLE_KEY']?: string | undefined;
}): StripeKeys | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = environment;
  if (/^(sk|rk|rkcs)_live_/.test(secretKey ?? '') || publishableKey?.startsWith('pk_live_')) {
    throw new StartFailure(
      'STRIPE_SECRET_KEY or STRIPE_PUBLISHABLE_KEY is a live key, which would move real money: the local world accepts only test keys.',
    );
  }
  if (!secretKey && !publishableKey) return undefined;
  if (!/^(sk|rk|rkcs)_test_/.test(secretKey ?? '') || !publishableKey?.startsWith('pk_test_') || !secretKey) {
    throw new StartFailure(
      'To use real Stripe set both STRIPE_SECRET_KEY (sk_test_…) and STRIPE_PUBLISHABLE_KEY (pk_test_…); without them a stand-in is used.',
    );
  }
  return { secretKey, publishableKey };
}

interface Cursor {
  /** Id of the newest forwarded event. Null if there was none. */
  eventId: string | null;
}

// Milliseconds. Stripe allows 25 reads a second in test mode, and a waiting user notices five seconds.
const PERIOD = 3_000;
// Stripe gives up on an event too. The hourly event catch-up then finds the affected customer.
const MOST_TRIES = 5;

/** Polls Stripe's events and posts them to the webhook, since Stripe can't reach a laptop. */
export class EventForwarder {
  readonly #stripe: Stripe;
  readonly #cursor: Collection<Cursor>;
  readonly #clock: Clock;
  readonly #webhook: { url: string; secret: string };
  readonly #stopping = new AbortController();
  #tries = 0;
  #running: Promise<void> | undefined;

  /** `origin` of Stripe's API. */
  constructor({
    keys,
    store,
    clock,
    webhook,
    origin = 'https://api.stripe.com',
  }: {
    keys: StripeKeys;
    store: Store;
    clock: Clock;
    webhook: { url: string; secret: string };
    origin?: string;
  }) {
    const { hostname, port, protocol } = new URL(origin);
    const secure = protocol === 'https:';
    this.#stripe = new Stripe(keys.secretKey, {
      host: hostname,
      port: port || (secure ? 443 : 80),
      protocol: secure ? 'https' : 'http',
    });
    this.#cursor = store.collection('real-stripe/cursor');
    this.#clock = clock;
    this.#webhook = webhook;
  }

  /** Polls until stopped. */
  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Forwards every event since the last forwarded one. The first call only stores the newest event's id. */
  async poll(): Promise<void> {
    const cursor = this.#cursor.get('events');
    if (!cursor) {
      const [newest] = (await this.#stripe.events.list({ limit: 1 })).data;
      this.#cursor.put('events', { eventId: newest?.id ?? null });
      return;
    }
    const data = await this.#after(cursor);
    if (!data) return this.#cursor.delete('events');
    // Oldest first, in the order of delivery.
    for (const event of data.toReversed()) {
      this.#tries += 1;
      const status = await this.#deliver(event);
      const accepted = status >= 200 && status < 300;
      if (!accepted && this.#tries < MOST_TRIES) return;
      if (!accepted) console.error(`Stripe's ${event.type} (${event.id}) was refused with ${status}.`);
      this.#tries = 0;
      this.#cursor.put('events', { eventId: event.id });
    }
  }

  /** Events after the cursor, newest first. Undefined if it is gone; Stripe keeps events for thirty days. */
  async #after(cursor: Cursor): Promise<Stripe.Event[] | undefined> {
    try {
      const { data } = await this.#stripe.events.list({
        limit: 100,
        ...(cursor.eventId !== null && { ending_before: cursor.eventId }),
      });
      return data;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
      throw error;
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // Without network, the next poll fetches what was missed.
      await this.poll().catch((error: unknown) =>
        console.error(`Stripe's events could not be read: ${sentenceOf(error)}`),
      );
      await delay(PERIOD, undefined, { signal }).catch(() => {});
    }
  }

  async #deliver(event: Stripe.Event): Promise<number> {
    const payload = JSON.stringify(event);
    const signature = await this.#stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: this.#webhook.secret,
      timestamp: Math.floor(this.#clock.now().getTime() / 1000),
    });
    const response = await fetch(this.#webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body: payload,
      signal: this.#stopping.signal,
    });
    return response.status;
  }
}
