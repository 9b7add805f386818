import { beforeEach, describe, expect, test, vi } from 'vitest';
import { receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { MemoryBilling } from '../../../fixtures/fakes/memory-billing.ts';
import { MemoryTasks } from '../../../fixtures/fakes/memory-tasks.ts';
import { MemoryPlans } from '../../../fixtures/fakes/memory-plans.ts';

const users = { has: async () => true };

let plans: MemoryPlans;
let billing: MemoryBilling;
let tasks: MemoryTasks;

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  plans = new MemoryPlans();
  billing = new MemoryBilling();
  tasks = new MemoryTasks();
  billing.customers.set('cus_ada', 'ada');
  plans.put({ id: 'ada', plan: 'free', billing_customer_id: 'cus_ada', version: 1 });
});

const sendEvent = (type: string, object: Record<string, unknown>) =>
  call(receiveEvent({ plans, billing, tasks, userPool: users }), {
    headers: { 'stripe-signature': 'good' },
    body: { id: 'evt_1', object: 'event', type, created: 1_768_900_000, data: { object } },
  });

// Stripe's dispute names a charge and a payment, and no customer.
const dispute = { object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1', customer: undefined };

/** An event of each type that the suite sends, about one of our customers if the object has a customer. */
const eventTypes: [string, Record<string, unknown>][] = [
  ['charge.succeeded', { object: 'charge', status: 'succeeded' }],
  ['charge.failed', { object: 'charge', status: 'failed' }],
  ['charge.refunded', { object: 'charge', refunded: true, amount_refunded: 500 }],
  ['charge.dispute.created', { ...dispute, status: 'needs_response' }],
  ['charge.dispute.funds_withdrawn', { ...dispute, status: 'under_review' }],
  ['charge.dispute.closed', { ...dispute, status: 'lost' }],
  ['checkout.session.expired', { object: 'checkout.session', status: 'expired' }],
  ['credit_note.created', { object: 'credit_note', status: 'issued' }],
  ['customer.created', { object: 'customer', id: 'cus_ada' }],
  ['customer.updated', { object: 'customer', id: 'cus_ada' }],
  ['customer.tax_id.created', { object: 'tax_id' }],
  ['entitlements.active_entitlement_summary.updated', { object: 'entitlements.active_entitlement_summary' }],
  ['invoice.finalized', { object: 'invoice', status: 'open' }],
  ['invoice.updated', { object: 'invoice', status: 'open' }],
  ['invoice.upcoming', { object: 'invoice', status: 'draft' }],
  ['invoice.voided', { object: 'invoice', status: 'void' }],
  ['invoice_payment.paid', { object: 'invoice_payment', status: 'paid' }],
  ['payment_intent.succeeded', { object: 'payment_intent', status: 'succeeded' }],
  ['payment_intent.payment_failed', { object: 'payment_intent', status: 'requires_payment_method' }],
  ['payment_method.attached', { object: 'payment_method' }],
  ['payment_method.detached', { object: 'payment_method', customer: null }],
  ['plan.deleted', { object: 'plan', customer: undefined }],
  ['price.updated', { object: 'price', customer: undefined }],
  ['product.deleted', { object: 'product', customer: undefined }],
  ['radar.early_fraud_warning.created', { object: 'radar.early_fraud_warning', customer: undefined }],
  ['refund.created', { object: 'refund', customer: undefined }],
  ['refund.failed', { object: 'refund', customer: undefined }],
  ['review.opened', { object: 'review', customer: undefined }],
  ['setup_intent.succeeded', { object: 'setup_intent', status: 'succeeded' }],
  ['subscription_schedule.canceled', { object: 'subscription_schedule', status: 'canceled' }],
  ['a_family.of_tomorrow', { object: 'a_family' }],
];

describe('an event of a type that changes no plan (from the tests of stripe-sync-engine)', () => {
  test.each(eventTypes)('%s is accepted, and gives no Plus by itself', async (type, object) => {
    const answer = await sendEvent(type, { customer: 'cus_ada', ...object });
    expect(answer).toEqual({ status: 200, body: { received: true } });
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'free' });
  });

  test.each(eventTypes)('%s is accepted, and takes no Plus away by itself', async (type, object) => {
    const { id } = billing.subscribe('cus_ada');
    plans.put({
      id: 'ada',
      plan: 'plus',
      billing_customer_id: 'cus_ada',
      stripe_customer_id: 'cus_ada',
      stripe_subscription_id: id,
      version: 1,
    });
    expect((await sendEvent(type, { customer: 'cus_ada', ...object })).status).toBe(200);
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: id });
  });
});

describe('an event without one of our customers (from the tests of pay-rails/pay)', () => {
  test.each([
    ['an invoice without a subscription', 'invoice.paid', { object: 'invoice', parent: null }],
    ['a session without a customer', 'checkout.session.completed', { customer: null }],
    [
      'a session with an unknown reference',
      'checkout.session.completed',
      { object: 'checkout.session', client_reference_id: 'not one of ours', customer: 'cus_foreign' },
    ],
    ['the deletion of an unknown customer', 'customer.deleted', { object: 'customer', id: 'cus_foreign' }],
    [
      'a subscription without a customer',
      'customer.subscription.updated',
      { object: 'subscription', customer: undefined },
    ],
  ])('%s is accepted, and creates no row and gives no Plus', async (_, type, object) => {
    const answer = await sendEvent(type, { object: 'checkout.session', customer: 'cus_ada', ...object });
    expect(answer.status).toBe(200);
    expect([...plans.rows.keys()]).toEqual(['ada']);
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'free' });
  });
});
