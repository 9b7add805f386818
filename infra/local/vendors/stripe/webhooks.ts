import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import type Stripe from 'stripe';
import type { Clock } from '../../base/clock.ts';
import type { Delivery, RecordedEvent } from './ledger.ts';
import type { Collection } from '../../base/store.ts';

// Milliseconds. Stripe counts a slower response as a failure.
const TIMEOUT = 10_000;

// Enough to overlap slow responses, few enough for one machine.
const AT_ONCE = 4;

// Stripe tries "for up to three days with an exponential back off"
// (https://docs.stripe.com/webhooks#automatic-retries), without exact times. The first retry comes soon, for
// a receiver that is still starting.
const FIRST_WAIT = 5_000;
const LONGEST_WAIT = 12 * 3_600_000;
const GIVE_UP_AFTER = 72 * 3_600_000;

/** Milliseconds until the next attempt, by the number of failed ones. */
const waitAfter = (attempts: number): number => Math.min(FIRST_WAIT * 4 ** (attempts - 1), LONGEST_WAIT);

/** Delivers every event to an endpoint until it answers 2xx or three days have passed. */
export class Webhooks {
  readonly #clock: Clock;
  readonly #events: Collection<RecordedEvent>;
  readonly #target: { url: string; secret: string };
  /** Times of the next attempt for each undelivered event, in epoch milliseconds. */
  readonly #due = new Map<string, number>();
  readonly #inProgress = new Map<string, { since: number; done: Promise<void> }>();
  readonly #stopping = new AbortController();

  constructor(options: {
    clock: Clock;
    events: Collection<RecordedEvent>;
    target: { url: string; secret: string };
  }) {
    this.#clock = options.clock;
    this.#events = options.events;
    this.#target = options.target;
    for (const { event, delivery } of this.#events.list()) {
      if (delivery.state === 'pending') this.#due.set(event.id, delivery.next);
    }
    // Delayed, since the receiver may start after this constructor.
    setImmediate(() => this.#deliverDue());
  }

  /** Queues new events. Returns before any delivery. */
  enqueue(eventIds: readonly string[]): void {
    for (const id of eventIds) this.#due.set(id, this.#clock.now().getTime());
    // Delayed, so that the response that caused the events is sent first.
    setImmediate(() => this.#deliverDue());
  }

  /** Epoch milliseconds. A delivery in progress counts as due. */
  nextDue(): number | undefined {
    const moments = [...this.#due.values(), ...[...this.#inProgress.values()].map(({ since }) => since)];
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }

  /** Delivers all due events, and resolves when no delivery is in progress, including consequences. */
  async allDelivered(): Promise<void> {
    this.#deliverDue();
    while (this.#inProgress.size > 0) {
      await Promise.race([...this.#inProgress.values()].map(({ done }) => done));
      this.#deliverDue();
    }
  }

  /** Tries once more, whatever the event's state. Resolves after the attempt; false for an unknown event. */
  async resend(id: string): Promise<boolean> {
    while (this.#inProgress.has(id)) await this.#inProgress.get(id)?.done;
    if (!this.#events.get(id)) return false;
    this.#due.delete(id);
    await this.#start(id);
    return true;
  }

  /** Aborts deliveries in progress. They stay undelivered until the next start on this store. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#inProgress.values()].map(({ done }) => done));
  }

  #deliverDue(): void {
    const now = this.#clock.now().getTime();
    for (const [id, due] of this.#due) {
      if (this.#stopping.signal.aborted || this.#inProgress.size >= AT_ONCE) return;
      if (due > now) continue;
      this.#due.delete(id);
      void this.#start(id);
    }
  }

  #start(id: string): Promise<void> {
    const done = this.#attempt(id)
      // A retry doesn't help if the store can't be written, so the error is printed.
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        this.#inProgress.delete(id);
        this.#deliverDue();
      });
    this.#inProgress.set(id, { since: this.#clock.now().getTime(), done });
    return done;
  }

  async #attempt(id: string): Promise<void> {
    const before = this.#events.get(id);
    if (!before) return;
    const status = await this.#post(before.event);
    if (this.#stopping.signal.aborted) return;
    const delivery = afterAttempt(before, status, this.#clock.now().getTime());
    this.#events.put(id, { event: before.event, delivery });
    if (delivery.state === 'pending') {
      this.#due.set(id, delivery.next);
      this.#clock.reschedule();
    }
  }

  /** The status of the response. Undefined if there was none. */
  #post(event: Stripe.EventBase): Promise<number | undefined> {
    const payload = JSON.stringify(event, null, 2);
    const moment = Math.floor(this.#clock.now().getTime() / 1000);
    const signature = createHmac('sha256', this.#target.secret).update(`${moment}.${payload}`).digest('hex');
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': `t=${moment},v1=${signature}`,
    };
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), this.#stopping.signal]);
    return new Promise((resolve) => {
      const sent = request(this.#target.url, { method: 'POST', headers, signal });
      // Stripe counts a redirect as a failure.
      sent.on('response', (response) => resolve(response.resume().statusCode));
      // Refused, reset or timed out: no response.
      sent.on('error', () => resolve(undefined));
      sent.end(payload);
    });
  }
}

/** The delivery state after an attempt with this `status`. `now` in epoch milliseconds. */
function afterAttempt({ event, delivery }: RecordedEvent, status: number | undefined, now: number): Delivery {
  const attempts = delivery.attempts + 1;
  const tried = { attempts, ...(status !== undefined && { lastStatus: status }) };
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered', ...tried };
  // A failed resend doesn't change the state.
  if (delivery.state !== 'pending') return { state: delivery.state, ...tried };
  const next = now + waitAfter(attempts);
  if (next > event.created * 1000 + GIVE_UP_AFTER) return { state: 'failed', ...tried };
  return { state: 'pending', ...tried, next };
}
