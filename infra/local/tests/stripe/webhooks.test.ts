import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { afterEach, expect, test } from 'vitest';
import {
  DAY,
  HOUR,
  openCheckout,
  startStripe,
  subscribe,
  verified,
  type Received,
  type StripeStandIn,
} from '../fixtures/stripe.ts';

let world: StripeStandIn;
afterEach(() => world.close());

const customerEvent = async (): Promise<string> => {
  await world.stripe.customers.create({ email: 'ada@example.com' });
  return world.service.listEvents()[0]?.id ?? '';
};

const eventNow = (id: string) => world.service.listEvents().find((event) => event.id === id);

const pendingWebhooks = async (id: string) =>
  (await world.stripe.events.list()).data.find((event) => event.id === id)?.pending_webhooks;

test('the SDK accepts the signature of every event, and no other', async () => {
  world = await startStripe();
  await customerEvent();
  await world.service.allDelivered();
  const [received] = world.received;
  if (!received) throw new Error('Nothing came.');

  expect(verified(world, received)).toMatchObject({
    type: 'customer.created',
    api_version: '2026-10-28.endive',
    livemode: false,
    pending_webhooks: 1,
    data: { object: { email: 'ada@example.com' } },
    request: { id: expect.stringMatching(/^req_/) as string },
  });
  expect(() => verified(world, { ...received, body: received.body.replace('ada', 'eve') })).toThrow(
    Stripe.errors.StripeSignatureVerificationError,
  );
  await world.clock.advance(301_000);
  expect(() => verified(world, received)).toThrow('Timestamp outside the tolerance zone');
});

test('any 2xx is enough', async () => {
  world = await startStripe();
  world.receiver.answer = () => 202;
  const id = await customerEvent();
  await world.service.allDelivered();

  expect(eventNow(id)).toMatchObject({ delivery: 'delivered', attempts: 1, lastStatus: 202 });
  expect(await pendingWebhooks(id)).toBe(0);
});

test('a refused event is retried with growing pauses, with a new signature each time', async () => {
  world = await startStripe();
  world.receiver.answer = () => 500;
  const id = await customerEvent();
  await world.service.allDelivered();
  expect(eventNow(id)).toMatchObject({ delivery: 'pending', attempts: 1, lastStatus: 500 });

  await world.clock.advance(6_000);
  expect(world.received).toHaveLength(2);
  await world.clock.advance(HOUR);
  expect(world.received).toHaveLength(6);
  const last = world.received.at(-1);
  const moments = world.received.map(({ headers }) =>
    Number(/t=(\d+)/.exec(String(headers['stripe-signature']))?.[1]),
  );
  const waits = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
  expect(waits.map((wait) => Math.round(wait / 5) * 5)).toEqual([5, 20, 80, 320, 1280]);

  world.receiver.answer = () => 200;
  await world.clock.advance(2 * HOUR);
  expect(eventNow(id)).toMatchObject({ delivery: 'delivered', attempts: 7 });
  expect(world.received.at(-1)?.body).toBe(last?.body);
});

test('after three days delivery stops, and the event can still be resent', async () => {
  world = await startStripe();
  world.receiver.answer = () => 500;
  const id = await customerEvent();
  await world.clock.advance(4 * DAY);
  expect(eventNow(id)?.delivery).toBe('failed');
  const tries = world.received.length;
  await world.clock.advance(40 * DAY);
  expect(world.received).toHaveLength(tries);

  world.receiver.answer = () => 200;
  expect(await world.service.resend(id)).toBe(true);

  expect(eventNow(id)).toMatchObject({ delivery: 'delivered', attempts: tries + 1 });
  expect(await world.service.resend('evt_unknown')).toBe(false);
});

test('resending a delivered event repeats it and leaves it delivered', async () => {
  world = await startStripe();
  const id = await customerEvent();
  await world.service.allDelivered();

  await world.service.resend(id);
  expect(world.received.map(({ event }) => event.id)).toEqual([id, id]);
  world.receiver.answer = () => 500;
  await world.service.resend(id);

  expect(eventNow(id)).toMatchObject({ delivery: 'delivered', attempts: 3, lastStatus: 500 });
});

test('a redirect counts as a failure and is not followed', async () => {
  world = await startStripe();
  world.receiver.answer = () => 302;
  const id = await customerEvent();
  await world.service.allDelivered();
  expect(eventNow(id)).toMatchObject({ delivery: 'pending', lastStatus: 302 });
});

test('a response of the API does not wait for the webhooks it causes', async () => {
  world = await startStripe();
  const { promise, resolve } = Promise.withResolvers<number>();
  world.receiver.answer = () => promise;

  await customerEvent();

  expect(world.service.listEvents()[0]?.delivery).toBe('pending');
  resolve(200);
  await world.service.allDelivered();
  expect(world.service.listEvents()[0]?.delivery).toBe('delivered');
});

test('a receiver can call the API while the clock moves', async () => {
  world = await startStripe();
  const { subscription } = await subscribe(world);
  await world.service.allDelivered();
  const seen: string[] = [];
  world.receiver.answer = async ({ event }) => {
    if (event.type === 'customer.subscription.updated' && seen.length === 0) {
      const { status } = await world.stripe.subscriptions.update(subscription.id, {
        metadata: { seen: 'yes' },
      });
      seen.push(status);
    }
    return 200;
  };

  await world.clock.advance(32 * DAY);

  expect(seen).toEqual(['active']);
  expect(world.service.listEvents().every(({ delivery }) => delivery === 'delivered')).toBe(true);
});

test('the clock waits for deliveries in progress, so that their signatures are valid', async () => {
  world = await startStripe();
  const arrived = Promise.withResolvers<Received>();
  const answered = Promise.withResolvers<number>();
  world.receiver.answer = (received) => {
    arrived.resolve(received);
    return answered.promise;
  };
  await customerEvent();
  const received = await arrived.promise;

  const advanced = world.clock.advance(40 * DAY);
  // The API still answers, and the event was signed on the same day.
  await world.stripe.customers.list();
  expect(() => verified(world, received)).not.toThrow();
  answered.resolve(200);
  await advanced;

  expect(() => verified(world, received)).toThrow('Timestamp outside the tolerance zone');
  expect(world.service.listEvents()[0]).toMatchObject({ delivery: 'delivered', attempts: 1 });
});

test('events that were not delivered when the process died are delivered after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  try {
    world = await startStripe({ file: join(folder, 'world.db') });
    // Never answers: the process dies during the delivery.
    world.receiver.answer = () => new Promise(() => {});
    const { session } = await openCheckout(world);
    await world.submitCard(session);
    expect(world.service.listEvents().every(({ delivery }) => delivery === 'pending')).toBe(true);

    world.receiver.answer = () => 200;
    await world.restart();
    await world.service.allDelivered();

    const events = world.service.listEvents();
    expect(events.map(({ delivery }) => delivery)).not.toContain('pending');
    expect(events.map(({ type }) => type)).toContain('checkout.session.completed');
    expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
  } finally {
    await world.close();
    world = await startStripe();
    rmSync(folder, { recursive: true });
  }
});
