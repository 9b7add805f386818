import { describe, expect, test, vi } from 'vitest';
import { handledEventTypes } from '../../../../functions/domain/handled-event-types.ts';
import { handler as receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { ada, beginOnFree } from '../ada.ts';

const { log } = beginOnFree();

const received = { status: 200, body: { received: true } };
const send = (body: unknown, headers: Record<string, string> = { 'stripe-signature': 'good' }) =>
  call(receiveEvent.with(ada), { body, headers });

const usual = { id: 'evt_1', object: 'event', created: 1_768_900_000 };
const eventOf = (type: string, object: object) => ({ ...usual, type, data: { object } });

describe('an event from Stripe', () => {
  const event = eventOf('invoice.paid', { object: 'invoice', customer: 'cus_ada' });

  test('reconciles the customer that it is about, and is counted', async () => {
    ada.billing.subscribe('cus_ada');
    const counted = await metricsOf(async () => expect(await send(event)).toEqual(received));
    expect(counted).toContainEqual(expect.objectContaining({ WebhooksReceived: 1 }));
    expect(ada.planTable.rows.get('ada')?.plan).toBe('plus');
  });

  test('logs the user whose refund failed', async () => {
    await send(event);
    expect(log.of('refund-failed')).toEqual([]);
    await send(eventOf('refund.failed', { object: 'refund', customer: 'cus_ada' }));
    expect(log.of('refund-failed')).toMatchObject([{ user: 'ada', customer: 'cus_ada' }]);
  });

  test.each([
    ['charge.refunded', { object: 'charge', customer: 'cus_ada' }],
    ['refund.created', { object: 'refund', charge: 'ch_1', payment_intent: 'pi_1' }],
    ['charge.dispute.created', { object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' }],
    ['charge.dispute.closed', { object: 'dispute', charge: 'ch_1', payment_intent: 'pi_1' }],
  ])('of the type %s reads no subscription', async (type, object) => {
    ada.billing.subscribe('cus_ada');
    const subscriptionsOf = vi.spyOn(ada.billing, 'subscriptionsOf');
    expect(await send(eventOf(type, object))).toEqual(received);
    expect(subscriptionsOf).not.toHaveBeenCalled();
  });

  test('is answered with 500 if Stripe is unreachable, so that Stripe sends it again', async () => {
    ada.billing.down = true;
    const answer = await send(event);
    expect(answer).toMatchObject(refused(500, 'internal'));
    expect(JSON.stringify(answer.body)).not.toContain('reach');
  });

  test.each([...handledEventTypes, 'charge.refunded', 'price.updated', 'a_family.of_tomorrow'])(
    'of the type %s gives and takes no Plus by itself',
    async (type) => {
      const object = { object: type.split('.').slice(0, -1).join('.'), id: 'cus_ada', customer: 'cus_ada' };
      expect(await send(eventOf(type, object))).toEqual(received);
      expect(ada.planTable.rows.get('ada')?.plan).toBe('free');
      const { id } = ada.billing.subscribe('cus_ada');
      const plus = { plan: 'plus', stripe_subscription_id: id, stripe_customer_id: 'cus_ada' } as const;
      ada.planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', version: 1, ...plus });
      expect(await send(eventOf(type, object))).toEqual(received);
      expect(ada.planTable.rows.get('ada')).toMatchObject(plus);
    },
  );
});
