import { beforeEach, describe, expect, test, vi } from 'vitest';
import { receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { MemoryBilling } from '../../../fixtures/fakes/memory-billing.ts';
import { MemoryTasks } from '../../../fixtures/fakes/memory-tasks.ts';
import { MemoryPlans } from '../../../fixtures/fakes/memory-plans.ts';

const now = new Date('2026-01-20T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;
let tasks: MemoryTasks;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  plans = new MemoryPlans();
  billing = new MemoryBilling();
  tasks = new MemoryTasks();
  billing.customers.set('cus_ada', 'ada');
  plans.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1 });
});

const users = { has: async () => true };

describe('an event from Stripe', () => {
  const event = {
    type: 'invoice.paid',
    created: 1_700_000_000,
    data: { object: { object: 'invoice', customer: 'cus_ada' } },
  };

  test('reconciles the customer that it is about', async () => {
    billing.subscribe('cus_ada');
    const answer = await call(receiveEvent({ plans, billing, tasks, userPool: users }), {
      body: event,
      headers: { 'stripe-signature': 'good' },
    });
    expect(answer).toEqual({ status: 200, body: { received: true } });
    expect(plans.rows.get('ada')?.plan).toBe('plus');
  });

  test.each([{}, { 'stripe-signature': 'forged' }])(
    'is refused without a valid signature (%o)',
    async (headers) => {
      billing.subscribe('cus_ada');
      const answer = await call(receiveEvent({ plans, billing, tasks, userPool: users }), {
        body: event,
        headers,
      });
      expect(answer.status).toBe(400);
      expect(plans.rows.get('ada')?.plan).toBe('free');
    },
  );

  test.each([
    ['charge.refunded', { object: 'charge', customer: 'cus_ada' }],
    ['refund.created', { object: 'refund', charge: 'ch_1', payment_intent: 'pi_1' }],
    ['charge.dispute.created', { object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' }],
    ['charge.dispute.closed', { object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' }],
  ])('of the type %s reads no subscription', async (type, object) => {
    billing.subscribe('cus_ada');
    const subscriptionsOf = vi.spyOn(billing, 'subscriptionsOf');
    const answer = await call(receiveEvent({ plans, billing, tasks, userPool: users }), {
      body: { type, created: 1_700_000_000, data: { object } },
      headers: { 'stripe-signature': 'good' },
    });
    expect(answer).toEqual({ status: 200, body: { received: true } });
    expect(subscriptionsOf).not.toHaveBeenCalled();
  });

  test('of an unhandled type is accepted', async () => {
    const answer = await call(receiveEvent({ plans, billing, tasks, userPool: users }), {
      body: { type: 'product.created', data: { object: { object: 'product' } } },
      headers: { 'stripe-signature': 'good' },
    });
    expect(answer.status).toBe(200);
  });

  test('is answered with 500 if Stripe is unreachable, so that Stripe sends it again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    billing.down = true;
    const answer = await call(receiveEvent({ plans, billing, tasks, userPool: users }), {
      body: event,
      headers: { 'stripe-signature': 'good' },
    });
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(answer.body)).not.toContain('reach');
  });
});
