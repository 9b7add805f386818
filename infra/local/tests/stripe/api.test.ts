import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { DAY, stripe, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

const ask = (
  path: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(`${world.origin}${path}`, {
    ...init,
    headers: { authorization: 'Bearer sk_test_local', ...headers },
  });

test('a wrong key is refused, and masked in the message', async () => {
  const { hostname, port } = new URL(world.origin);
  const stranger = new Stripe('sk_test_stranger_1234', { host: hostname, port, protocol: 'http' });

  const refusal = await stranger.customers.list().catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  expect(refusal).toMatchObject({ message: 'Invalid API Key provided: sk_test_*********1234' });
  for (const key of ['', 'pk_test_local', 'rk_test_local', 'sk_test_loca1']) {
    const headers = { authorization: `Bearer ${key}` };
    expect((await ask('/v1/customers', { method: 'POST', headers })).status).toBe(401);
  }
  expect((await fetch(`${world.origin}/v1/customers`)).status).toBe(401);
  expect((await stripe.customers.list()).data).toEqual([]);
  const basic = `Basic ${Buffer.from('sk_test_local:').toString('base64')}`;
  expect((await ask('/v1/customers', { headers: { authorization: basic } })).status).toBe(200);
});

test('an unknown path is 404', async () => {
  for (const path of ['/v1/unheard_of', '/v1', '/', '/embedded']) {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
  }
  await expect(stripe.rawRequest('GET', '/v1/unheard_of')).rejects.toMatchObject({
    statusCode: 404,
    message: expect.stringContaining('Unrecognized request URL (GET: /v1/unheard_of)') as string,
  });
});

test('unknown, missing and invalid parameters are named', async () => {
  const post = async (path: string, body: string): Promise<unknown> =>
    (
      (await (await ask(path, { method: 'POST', body: new URLSearchParams(body) })).json()) as {
        error: unknown;
      }
    ).error;

  expect(await post('/v1/customers', 'emial=a@b.c&metadata[x]=1')).toMatchObject({
    code: 'parameter_unknown',
    param: 'emial',
    message: 'Received unknown parameter: emial',
  });
  expect(await post('/v1/prices', 'currency=usd&unit_amount=5&recurring[intervall]=month')).toMatchObject({
    code: 'parameter_unknown',
    param: 'recurring[intervall]',
  });
  expect(await post('/v1/prices', 'unit_amount=5')).toMatchObject({
    code: 'parameter_missing',
    param: 'currency',
  });
  expect(await post('/v1/prices', 'currency=usd&unit_amount=five')).toMatchObject({
    code: 'parameter_invalid_integer',
    param: 'unit_amount',
  });
  expect(await post('/v1/customers', 'email=nobody')).toMatchObject({
    code: 'email_invalid',
    param: 'email',
  });
  expect(await post('/v1/checkout/sessions', 'customer=cus_1&mode=gift')).toMatchObject({ param: 'mode' });
  expect(await post('/v1/checkout/sessions', 'customer=cus_1&mode=subscription&line_items=x')).toMatchObject({
    param: 'line_items',
  });
  expect(await post('/v1/customers', '__proto__[polluted]=1')).toMatchObject({ code: 'parameter_unknown' });
  expect(await post('/v1/customers', `a${'[b]'.repeat(5000)}=1`)).toMatchObject({
    type: 'invalid_request_error',
  });
  expect(await post('/v1/customers', 'metadata[__proto__]=x')).toBeUndefined();
});

describe('an idempotency key', () => {
  test('replays its answer for a day, and only to the same path, also after a restart', async () => {
    const attempt = { idempotencyKey: 'attempt-1' };
    const create = () => stripe.customers.create({ email: 'ada@example.com' }, attempt);
    const first = await create();
    await expect(
      stripe.customers.update(first.id, { email: 'ada@example.com' }, attempt),
    ).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    await world.restart();
    expect((await create()).id).toBe(first.id);
    expect((await stripe.customers.list()).data).toHaveLength(1);
    await world.clock.advance(DAY);
    expect((await create()).id).not.toBe(first.id);
  });
});

test('expand replaces ids with objects, in lists and over several levels', async () => {
  const { customer, session, subscription } = await world.subscribe();

  const listed = await stripe.subscriptions
    .list({
      expand: ['data.customer', 'data.latest_invoice.payments.data.payment.payment_intent.latest_charge'],
    })
    .catch((error: unknown) => error);
  expect(listed).toMatchObject({ message: expect.stringContaining('expand more than 4 levels') as string });

  const { data } = await stripe.subscriptions.list({
    expand: [
      'data.customer',
      'data.default_payment_method',
      'data.items.data.price.product',
      'data.latest_invoice.payments',
    ],
  });
  expect(data[0]).toMatchObject({
    customer: { id: customer.id, email: 'ada@example.com' },
    default_payment_method: { object: 'payment_method', card: { last4: '4242' } },
    items: { data: [{ price: { product: { name: 'Plus' } } }] },
    latest_invoice: { payments: { data: [{ status: 'paid' }] } },
  });
  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription', 'invoice', 'customer'],
  });
  expect(paid).toMatchObject({ subscription: { id: subscription.id }, invoice: { status: 'paid' } });
});

test('lists have pages, newest first, each with a cursor to the next', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 25; count += 1) {
    ids.unshift((await stripe.customers.create({ email: `${count % 2}@example.com` })).id);
  }

  const first = await stripe.customers.list();
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 10));
  expect(first.has_more).toBe(true);
  const last = await stripe.customers.list({ limit: 10, starting_after: ids[19] ?? '' });
  expect(last.data.map(({ id }) => id)).toEqual(ids.slice(20));
  expect(last.has_more).toBe(false);
  const all = await stripe.customers.list({ limit: 7 }).autoPagingToArray({ limit: 100 });
  expect(all.map(({ id }) => id)).toEqual(ids);
  expect((await stripe.customers.list({ email: '1@example.com', limit: 100 })).data).toHaveLength(12);
  await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
  await expect(stripe.customers.list({ starting_after: 'cus_nobody' })).rejects.toMatchObject({
    param: 'starting_after',
  });
});

test('the event of a change has the earlier values, key by key', async () => {
  const { id } = await stripe.customers.create({ metadata: { selfsame: 'test/user-1' } });
  await stripe.customers.update(id, { name: 'Ada', metadata: { selfsame: '', team: 'analysis' } });
  const [updated] = (await stripe.events.list({ type: 'customer.updated' })).data;
  expect(updated?.data.previous_attributes).toMatchObject({
    name: null,
    metadata: { selfsame: 'test/user-1', team: null },
  });
});

test('another version of the API is refused', async () => {
  const answer = await ask('/v1/customers', { headers: { 'stripe-version': '2024-06-20' } });
  expect(answer.status).toBe(400);
});
