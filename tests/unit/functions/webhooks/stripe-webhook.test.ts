import { beforeEach, describe, expect, test, vi } from 'vitest';
import { receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
let ada = adaOnFree();
beforeEach(() => void (ada = adaOnFree()));

const received = { status: 200, body: { received: true } };
const send = (body: unknown, headers: Record<string, string> = { 'stripe-signature': 'good' }) =>
  call(receiveEvent(ada), { body, headers });

describe('an event from Stripe', () => {
  const event = {
    type: 'invoice.paid',
    created: 1_700_000_000,
    data: { object: { object: 'invoice', customer: 'cus_ada' } },
  };

  test('reconciles the customer that it is about', async () => {
    ada.billing.subscribe('cus_ada');
    const answer = await send(event);
    expect(answer).toEqual(received);
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
    const answer = await send({ type, created: 1_700_000_000, data: { object } });
    expect(answer).toEqual(received);
    expect(subscriptionsOf).not.toHaveBeenCalled();
  });

  test('of an unhandled type is accepted', async () => {
    const answer = await send({ type: 'product.created', data: { object: { object: 'product' } } });
    expect(answer.status).toBe(200);
  });

  test('is answered with 500 if Stripe is unreachable, so that Stripe sends it again', async () => {
    ada.billing.down = true;
    const answer = await send(event);
    expect(answer).toMatchObject(refused(500, 'internal'));
    expect(JSON.stringify(answer.body)).not.toContain('reach');
  });
});
