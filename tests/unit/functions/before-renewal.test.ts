import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { EventCursor } from '../../../functions/adapters/dynamodb/event-cursor.ts';
import { catchUp } from '../../../functions/schedules/event-catch-up.ts';
import { receiveEvent } from '../../../functions/webhooks/stripe-webhook.ts';
import { call } from '../../fixtures/http-event.ts';
import { MemoryBilling } from '../../fixtures/memory-billing.ts';
import { MemoryPlans } from '../../fixtures/memory-plans.ts';

const now = new Date('2026-02-08T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;
/** The users in the pool. */
let pool: Set<string>;
const has = vi.fn<(sub: string) => Promise<boolean>>();

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  plans = new MemoryPlans();
  billing = new MemoryBilling();
  pool = new Set(['ada']);
  has.mockReset().mockImplementation(async (sub) => pool.has(sub));
  for (const user of ['ada', 'gone']) {
    billing.customers.set(`cus_${user}`, user);
    billing.subscribe(`cus_${user}`, { id: `sub_${user}` });
    plans.put({ id: user, plan: 'plus', billing_customer_id: `cus_${user}`, version: 1 });
  }
});

// A customer that fails holds the cursor, and the run throws.
const tasks = { remember: ({ failure }: { failure: string }) => Promise.reject(new Error(failure)) };

const event = (customer: string, type = 'invoice.upcoming', user?: string) => ({
  type,
  created: now.getTime() / 1000 - 60,
  data: {
    object: {
      object: 'invoice',
      customer,
      parent: { subscription_details: { metadata: user === undefined ? {} : { user_id: user } } },
    },
  },
});
const statusOf = (id: string) => billing.subscriptions.get(id)?.status;

/** Both say that the event will be tried again. */
const failed = /tries again|left for the next catch-up/;

const channels: [string, (received: ReturnType<typeof event>) => Promise<unknown>][] = [
  [
    'the webhook',
    async (received) => {
      const answer = await call(receiveEvent({ plans, billing, userPool: { has } }), {
        body: received,
        headers: { 'stripe-signature': 'good' },
      });
      if (answer.status !== 200) throw new Error(`Stripe is answered ${answer.status} and tries again.`);
    },
  ],
  [
    'the event catch-up',
    async (received) => {
      billing.events.splice(0, Infinity, received);
      const cursor: EventCursor = { read: async () => undefined, move: async () => {} };
      await catchUp({ plans, billing, cursor, userPool: { has }, tasks })();
    },
  ],
];

describe.each(channels)('an upcoming renewal in %s', (_, handle) => {
  test('ends the subscription and removes the customer and the row of a deleted account', async () => {
    await handle(event('cus_gone'));
    expect(statusOf('sub_gone')).toBe('canceled');
    expect(billing.customers.has('cus_gone')).toBe(false);
    expect(plans.rows.has('gone')).toBe(false);
  });

  test('changes nothing for an existing account', async () => {
    await handle(event('cus_ada'));
    expect(statusOf('sub_ada')).toBe('active');
    expect(plans.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: 'sub_ada' });
    expect(has.mock.calls).toEqual([['ada']]);
  });

  test('ends nothing while Cognito is unreachable, and is tried again', async () => {
    has.mockRejectedValue(new Error('TooManyRequestsException'));
    await expect(handle(event('cus_gone'))).rejects.toThrow(failed);
    expect(statusOf('sub_gone')).toBe('active');
    expect(plans.rows.has('gone')).toBe(true);
    has.mockReset().mockResolvedValue(false);
    await handle(event('cus_gone'));
    expect(statusOf('sub_gone')).toBe('canceled');
  });

  test('is completed by the next try after a failure halfway', async () => {
    const remove = vi.spyOn(plans, 'remove').mockRejectedValue(new Error('Out of reach.'));
    await expect(handle(event('cus_gone', 'invoice.upcoming', 'gone'))).rejects.toThrow(failed);
    remove.mockRestore();
    await handle(event('cus_gone', 'invoice.upcoming', 'gone'));
    expect(plans.rows.has('gone')).toBe(false);
  });

  test('leaves a subscription that another user pays for', async () => {
    billing.subscribe('cus_ada', { id: 'sub_gift', userId: 'gone' });
    await handle(event('cus_ada', 'invoice.upcoming', 'gone'));
    expect(statusOf('sub_gift')).toBe('active');
    expect(statusOf('sub_ada')).toBe('active');
    expect(plans.rows.get('ada')?.plan).toBe('plus');
  });

  test('also removes a customer that no row knows', async () => {
    plans.rows.delete('gone');
    await handle(event('cus_gone'));
    expect(statusOf('sub_gone')).toBe('canceled');
    expect(plans.rows.has('gone')).toBe(false);
  });

  test.each(['invoice.paid', 'customer.subscription.updated'])(
    'is the only event for which Cognito is asked, unlike %s',
    async (type) => {
      await handle(event('cus_gone', type));
      expect(has).not.toHaveBeenCalled();
      expect(statusOf('sub_gone')).toBe('active');
    },
  );
});

test('the event catch-up handles an upcoming renewal that newer events of its customer follow', async () => {
  const cursor: EventCursor = { read: async () => undefined, move: async () => {} };
  billing.events.push(
    event('cus_gone', 'invoice.paid'),
    event('cus_gone'),
    event('cus_gone', 'invoice.paid'),
  );
  await catchUp({ plans, billing, cursor, userPool: { has }, tasks })();
  expect(statusOf('sub_gone')).toBe('canceled');
});
