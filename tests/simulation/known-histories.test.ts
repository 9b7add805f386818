import { expect, test } from 'vitest';
import type { Action } from './history/action.ts';
import { stepsWithoutFaults } from './history/history.ts';
import { doublePayments } from './model/subscriber.ts';
import { Simulation } from './simulation.ts';

const pays = (session: number): Action => ({ type: 'pay', session, card: 'pays' });

async function simulateWithoutWebhooks(...actions: Action[]): Promise<Simulation> {
  const simulation = new Simulation({ start: '2030-01-15T12:00:00.000Z', hourly: false });
  try {
    for (const step of stepsWithoutFaults(actions, 'never')) await simulation.step(step);
    await simulation.settle();
    return simulation;
  } finally {
    simulation.end();
  }
}

test('a second payment is refunded even if the account is deleted before the payment is noticed', async () => {
  const simulation = await simulateWithoutWebhooks(
    { type: 'open a checkout' },
    { type: 'support opens a second checkout' },
    pays(0),
    pays(1),
    { type: 'time passes', hours: 1 },
    { type: 'delete the account' },
  );
  expect(doublePayments(simulation.model, { detectionDelay: 0, now: Infinity })).toEqual([]);
});

test('pausing the payments within the hour of a renewal leaves its draft payable, and a cancellation declines it', async () => {
  const simulation = await simulateWithoutWebhooks(
    { type: 'open a checkout' },
    pays(0),
    { type: 'time passes to the renewal', minutes: 30 },
    { type: 'support pauses the payments', behavior: 'keep_as_draft' },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
    { type: 'time passes', hours: 24 },
  );
  expect(simulation.row?.plan).toBe('free');
  expect(simulation.model.payments).toHaveLength(1);
});

test('a renewal’s draft from before a pause of the subscription is not collected after a cancellation', async () => {
  const simulation = await simulateWithoutWebhooks(
    { type: 'open a checkout' },
    pays(0),
    { type: 'time passes to the renewal', minutes: 10 },
    { type: 'support pauses the subscription', credits: false },
    { type: 'support resumes the subscription' },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
    { type: 'time passes', hours: 24 },
  );
  expect(simulation.row?.plan).toBe('plus');
  // The purchase and the resumption.
  expect(simulation.model.payments).toHaveLength(2);
});

test('a cancellation within the hour of a renewal ends the plan and keeps no payment, even if Stripe refuses to end the subscription for two days', async () => {
  const simulation = await simulateWithoutWebhooks(
    { type: 'open a checkout' },
    pays(0),
    { type: 'time passes to the renewal', minutes: 30 },
    {
      type: 'Stripe begins to refuse',
      call: 'DELETE /v1/subscriptions/:id',
      fault: 'bad-request',
      hours: 49,
    },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
    { type: 'run the event catch-up' },
    { type: 'time passes', hours: 24 },
  );
  expect(simulation.row?.plan).toBe('free');
  expect(simulation.model.payments.map(({ refunded }) => refunded)).toEqual([false, true]);
});
