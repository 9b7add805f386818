import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import type { Fault, FaultName } from '../../vendors/stripe/faults.ts';
import { refusalOf, stripe, useStripe, world } from '../fixtures/stripe.ts';

useStripe();

const atCreation = (fault: FaultName): Fault => ({ fault, method: 'POST', path: '/v1/customers' });

const create = (idempotencyKey = 'attempt-1') => stripe.customers.create({ name: 'Ada' }, { idempotencyKey });

const customers = async () => (await stripe.customers.list()).data.length;

test.each<[FaultName, Record<string, unknown>]>([
  ['bad-request', { statusCode: 400, type: 'StripeInvalidRequestError' }],
  ['not-found', { statusCode: 404, code: 'resource_missing' }],
  ['lock-timeout', { statusCode: 429, code: 'lock_timeout' }],
  ['key-in-use', { statusCode: 409, rawType: 'idempotency_error', code: 'idempotency_key_in_use' }],
  ['rate-limited', { statusCode: 429, type: 'StripeRateLimitError', code: 'rate_limit' }],
  ['rate-limited-with-retry-after', { statusCode: 429, headers: { 'retry-after': '1' } }],
  ['server-error', { statusCode: 500, type: 'StripeAPIError' }],
])(
  'the next matching request meets the fault %s, without effects, and the one after it does not',
  async (fault, said) => {
    world.service.faults.add(atCreation(fault));

    expect(await refusalOf(create())).toMatchObject(said);

    expect(await customers()).toBe(0);
    await create('attempt-2');
    expect(await customers()).toBe(1);
  },
);

describe('under an idempotency key', () => {
  test.each<FaultName>(['bad-request', 'not-found', 'server-error'])(
    'the refusal %s is kept',
    async (fault) => {
      world.service.faults.add(atCreation(fault));
      const { statusCode } = await refusalOf(create());

      const again = await refusalOf(create());

      expect(again.statusCode).toBe(statusCode);
      expect(again.headers?.['idempotent-replayed']).toBe('true');
      expect(await customers()).toBe(0);
    },
  );

  test.each<FaultName>(['lock-timeout', 'key-in-use', 'rate-limited'])(
    'the refusal %s is not kept',
    async (fault) => {
      world.service.faults.add(atCreation(fault));
      await refusalOf(create());
      expect((await create()).name).toBe('Ada');
    },
  );
});

describe('a dropped connection', () => {
  test('after the execution loses the answer, which the client’s own retry gets', async () => {
    world.service.faults.add(atCreation('dropped-after'));
    const customer = await create();
    expect(customer.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await customers()).toBe(1);
  });

  test('that lasts is a connection error until it is removed', async () => {
    const remove = world.service.faults.addLasting(atCreation('dropped-after'));
    expect(await refusalOf(create())).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    remove();
    expect((await create()).name).toBe('Ada');
    expect(await customers()).toBe(1);
  });
});

test('a fault is met only by its method, its path and its id', async () => {
  const [ada, eve] = [await create('ada'), await create('eve')];
  world.service.faults.addLasting({
    fault: 'bad-request',
    method: 'POST',
    path: '/v1/customers/:id',
    mentions: ada.id,
  });
  world.service.faults.addLasting({
    fault: 'bad-request',
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    mentions: ada.id,
  });

  expect((await stripe.customers.retrieve(ada.id)).id).toBe(ada.id);
  await stripe.customers.update(eve.id, { name: 'Eve' });
  await stripe.billingPortal.sessions.create({ customer: eve.id });
  expect((await refusalOf(stripe.customers.update(ada.id, { name: 'Eve' }))).statusCode).toBe(400);
  expect((await refusalOf(stripe.billingPortal.sessions.create({ customer: ada.id }))).statusCode).toBe(400);

  world.service.faults.clear();
  await stripe.customers.update(ada.id, { name: 'Eve' });
});
