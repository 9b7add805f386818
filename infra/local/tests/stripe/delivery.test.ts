import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY, HOUR, type Received, startStripe, type StripeStandIn } from '../fixtures/stripe.ts';

let world: StripeStandIn;

beforeEach(async () => {
  world = await startStripe();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await world.close();
});

const makeCustomer = async (email = 'ada@example.com'): Promise<string> => {
  await world.stripe.customers.create({ email });
  return world.service.listEvents()[0]?.id ?? '';
};

const eventNow = (id: string) => world.service.listEvents().find((event) => event.id === id);

const firstReceived = async (): Promise<Received> => {
  await makeCustomer();
  await world.service.allDelivered();
  const [received] = world.received;
  if (!received) throw new Error('Nothing came.');
  return received;
};

const constructed = ({ body, headers }: Pick<Received, 'body' | 'headers'>, secret: string, at = 0) =>
  world.stripe.webhooks.constructEvent(
    body,
    String(headers['stripe-signature']),
    secret,
    300,
    undefined,
    world.clock.now().getTime() + at,
  );

describe('a signature', () => {
  test('follows Stripe’s scheme: the timestamp, and an HMAC with SHA-256 of timestamp and body', async () => {
    const { headers, body } = await firstReceived();
    const [, moment, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['stripe-signature'])) ?? [];
    expect(Number(moment)).toEqual(expect.closeTo(world.now(), -1));
    expect(signature).toBe(createHmac('sha256', 'whsec_local').update(`${moment}.${body}`).digest('hex'));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('is valid for exactly five minutes', async () => {
    const received = await firstReceived();
    expect(() => constructed(received, 'whsec_local', 300_000)).not.toThrow();
    expect(() => constructed(received, 'whsec_local', 301_000)).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
  });
});

describe('an event counts as delivered', () => {
  test.each([302, 400, 410, 500])('not after a %i, and is sent again', async (status) => {
    world.receiver.answer = () => status;
    const id = await makeCustomer();
    await world.service.allDelivered();
    expect(eventNow(id)).toMatchObject({ delivery: 'pending', attempts: 1, lastStatus: status });
    world.receiver.answer = () => 200;
    await world.clock.advance(HOUR);
    expect(eventNow(id)).toMatchObject({ delivery: 'delivered', attempts: 2 });
  });

  test('not after ten seconds without a response', async () => {
    const patience: number[] = [];
    const impatience = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      patience.push(milliseconds);
      return impatience.signal;
    });
    const arrived = Promise.withResolvers<void>();
    world.receiver.answer = () => {
      arrived.resolve();
      return new Promise(() => {});
    };
    const id = await makeCustomer();
    await arrived.promise;
    expect(eventNow(id)?.delivery).toBe('pending');

    impatience.abort();
    await world.service.allDelivered();

    expect(patience).toEqual([10_000]);
    expect(eventNow(id)).toMatchObject({ delivery: 'pending', attempts: 1 });
    expect(eventNow(id)).not.toHaveProperty('lastStatus');
  });
});

test('a refused event is retried with growing pauses, with a new signature each time', async () => {
  world.receiver.answer = () => 500;
  const id = await makeCustomer();
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
  world.receiver.answer = () => 500;
  const id = await makeCustomer();
  await world.clock.advance(3 * DAY);
  expect(eventNow(id)?.delivery).toBe('failed');
  const tries = world.received.length;
  await world.clock.advance(40 * DAY);
  expect(world.received).toHaveLength(tries);

  world.receiver.answer = () => 200;
  expect(await world.service.resend(id)).toBe(true);

  expect(eventNow(id)).toMatchObject({ delivery: 'delivered', attempts: tries + 1 });
  expect(await world.service.resend('evt_unknown')).toBe(false);
});

test('the clock waits for deliveries in progress, so that their signatures are valid', async () => {
  const arrived = Promise.withResolvers<Received>();
  const answered = Promise.withResolvers<number>();
  world.receiver.answer = (received) => {
    arrived.resolve(received);
    return answered.promise;
  };
  await makeCustomer();
  const received = await arrived.promise;

  const advanced = world.clock.advance(40 * DAY);
  // The API still answers, and the event was signed on the same day.
  await world.stripe.customers.list();
  expect(() => world.verified(received)).not.toThrow();
  answered.resolve(200);
  await advanced;

  expect(() => world.verified(received)).toThrow('Timestamp outside the tolerance zone');
  expect(world.service.listEvents()[0]).toMatchObject({ delivery: 'delivered', attempts: 1 });
});

test('events that were not delivered when the process died are delivered after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await world.close();
  world = await startStripe({ file: join(folder, 'world.db') });
  // Never answers: the process dies during the delivery.
  world.receiver.answer = () => new Promise(() => {});
  const { session } = await world.openCheckout();
  await world.submitCard(session);
  expect(world.service.listEvents().every(({ delivery }) => delivery === 'pending')).toBe(true);

  world.receiver.answer = () => 200;
  await world.restart();
  await world.service.allDelivered();

  const events = world.service.listEvents();
  expect(events.map(({ delivery }) => delivery)).not.toContain('pending');
  expect(events.map(({ type }) => type)).toContain('checkout.session.completed');
  expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
});
