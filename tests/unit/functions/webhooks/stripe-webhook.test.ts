import { beforeEach, describe, expect, test, vi } from 'vitest';
import { receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
let ada = adaOnFree();
beforeEach(() => void (ada = adaOnFree()));

const received = { status: 200, body: { received: true } };
const send = (body: unknown, headers: Record<string, string> = { 'stripe-signature': 'good' }) =>
  call(receiveEvent(ada), { body, headers });

const eventOf = (type: string, object: object) => ({
  id: 'evt_1',
  object: 'event',
  type,
  created: 1_768_900_000,
  data: { object },
});

describe('an event from Stripe', () => {
  const event = eventOf('invoice.paid', { object: 'invoice', customer: 'cus_ada' });

  test('reconciles the customer that it is about, and is counted', async () => {
    ada.billing.subscribe('cus_ada');
    const counted = await metricsOf(async () => expect(await send(event)).toEqual(received));
    expect(counted).toContainEqual(expect.objectContaining({ WebhooksReceived: 1 }));
    expect(ada.plans.rows.get('ada')?.plan).toBe('plus');
  });

  test('logs the user whose refund failed', async () => {
    await send(event);
    expect(log.of('refund-failed')).toEqual([]);
    await send({
      ...event,
      type: 'refund.failed',
      data: { object: { object: 'refund', customer: 'cus_ada' } },
    });
    expect(log.of('refund-failed')).toMatchObject([{ user: 'ada', customer: 'cus_ada' }]);
  });

  test.each([{}, { 'stripe-signature': 'forged' }])(
    'is refused without a valid signature (%o)',
    async (headers) => {
      ada.billing.subscribe('cus_ada');
      const answer = await send(event, headers);
      expect(answer.status).toBe(400);
      expect(ada.plans.rows.get('ada')?.plan).toBe('free');
    },
  );

  test.each([
    ['charge.refunded', { object: 'charge', customer: 'cus_ada' }],
    ['refund.created', { object: 'refund', charge: 'ch_1', payment_intent: 'pi_1' }],
    ['charge.dispute.created', { object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' }],
    ['charge.dispute.closed', { object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' }],
  ])('of the type %s reads no subscription', async (type, object) => {
    ada.billing.subscribe('cus_ada');
    const subscriptionsOf = vi.spyOn(ada.billing, 'subscriptionsOf');
    const answer = await send(eventOf(type, object));
    expect(answer).toEqual(received);
    expect(subscriptionsOf).not.toHaveBeenCalled();
  });

  test('is answered with 500 if Stripe is unreachable, so that Stripe sends it again', async () => {
    ada.billing.down = true;
    const answer = await send(event);
    expect(answer).toMatchObject(refused(500, 'internal'));
    expect(JSON.stringify(answer.body)).not.toContain('reach');
  });
});

/** The types that the suite sends; Stripe's dispute, refund, plan, price and product name no customer. */
const eventTypes = `
  charge.succeeded charge.failed charge.refunded charge.dispute.created charge.dispute.funds_withdrawn
  charge.dispute.closed checkout.session.expired credit_note.created customer.created customer.updated
  customer.tax_id.created entitlements.active_entitlement_summary.updated invoice.finalized invoice.updated
  invoice.upcoming invoice.voided invoice_payment.paid payment_intent.succeeded payment_intent.payment_failed
  payment_method.attached payment_method.detached plan.deleted price.updated product.deleted
  radar.early_fraud_warning.created refund.created refund.failed review.opened setup_intent.succeeded
  subscription_schedule.canceled a_family.of_tomorrow
`;
const withCustomer = { id: 'cus_ada', customer: 'cus_ada' };

test.each(eventTypes.trim().split(/\s+/))(
  'an event of the type %s is accepted, and gives and takes no Plus by itself (from the tests of stripe-sync-engine)',
  async (type) => {
    const object = type.split('.').slice(0, -1).join('.');
    for (const named of [withCustomer, { id: 'x', customer: undefined }]) {
      expect(await send(eventOf(type, { object, ...named }))).toEqual(received);
      expect(ada.plans.rows.get('ada')).toMatchObject({ plan: 'free' });
    }
    const { id } = ada.billing.subscribe('cus_ada');
    const plus = { plan: 'plus', stripe_subscription_id: id, stripe_customer_id: 'cus_ada' } as const;
    ada.plans.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1, ...plus });
    expect(await send(eventOf(type, { object, ...withCustomer }))).toEqual(received);
    expect(ada.plans.rows.get('ada')).toMatchObject(plus);
  },
);

test.each([
  ['an invoice without a subscription', 'invoice.paid', { ...withCustomer, object: 'invoice', parent: null }],
  [
    'a session without a customer',
    'checkout.session.completed',
    { object: 'checkout.session', customer: null },
  ],
  [
    'a session with an unknown reference',
    'checkout.session.completed',
    { object: 'checkout.session', client_reference_id: 'not one of ours', customer: 'cus_foreign' },
  ],
  ['the deletion of an unknown customer', 'customer.deleted', { object: 'customer', id: 'cus_foreign' }],
  ['a subscription without a customer', 'customer.subscription.updated', { object: 'subscription' }],
])(
  '%s is accepted, and creates no row and gives no Plus (from the tests of pay-rails/pay)',
  async (_, type, object) => {
    expect(await send(eventOf(type, object))).toEqual(received);
    expect([...ada.plans.rows.keys()]).toEqual(['ada']);
    expect(ada.plans.rows.get('ada')).toMatchObject({ plan: 'free' });
  },
);
