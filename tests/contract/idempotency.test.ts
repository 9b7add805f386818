import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectInvalid, refusalOf, useTarget, subscribeAndFail, stripe } from './harness.ts';

// https://docs.stripe.com/api/idempotent_requests. That keys are kept for 24 hours isn't certified: test
// clocks don't move the time of requests.

useTarget();

describe('a request under a used idempotency key', () => {
  // "Subsequent requests with the same key return the same result". The header:
  // https://docs.stripe.com/error-low-level#sending-idempotency-keys
  test('does nothing again, and gets the first answer', async () => {
    const idempotencyKey = randomUUID();
    const create = () => stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey });
    const first = await create();
    const second = await create();
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    await stripe.customers.del(first.id);
  });

  // "The idempotency layer compares incoming parameters to those of the original request and errors if
  // they're not the same"
  test('is refused as an idempotency_error if its parameters differ', async () => {
    const idempotencyKey = randomUUID();
    const { id } = await stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey });
    expect(
      await refusalOf(stripe.customers.create({ email: 'eve@example.com' }, { idempotencyKey })),
    ).toMatchObject({ type: 'StripeIdempotencyError', rawType: 'idempotency_error', statusCode: 400 });
    await stripe.customers.del(id);
  });

  // "saving the resulting status code and body of the first request [...], regardless of whether it succeeds
  // or fails"
  test('gets a refusal again, even if the reason is gone', async () => {
    const { customer, invoice } = await subscribeAndFail();
    const idempotencyKey = randomUUID();
    const pay = () => stripe.invoices.pay(invoice.id, {}, { idempotencyKey });
    expect(await refusalOf(pay())).toMatchObject({ type: 'StripeCardError', statusCode: 402 });

    const good = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.customers.update(customer.id, {
      invoice_settings: { default_payment_method: good.id },
    });
    expect(await refusalOf(pay())).toMatchObject({ type: 'StripeCardError', statusCode: 402 });
    expect((await stripe.invoices.pay(invoice.id)).status).toBe('paid');
  });

  // "If incoming parameters fail validation [...], we don't save the idempotent result"
  test('is a first request if the one before had wrong parameters', async () => {
    const idempotencyKey = randomUUID();
    await expectInvalid(stripe.customers.create({ email: 'nobody' }, { idempotencyKey }));
    const { id } = await stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey });
    expect(id).toMatch(/^cus_/);
    await stripe.customers.del(id);
  });
});
