import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { handleStripeEvent } from '../../../../functions/plans/handle-stripe-event.ts';
import { runBillingTasks } from '../../../../functions/schedules/billing-tasks.ts';
import { catchUp } from '../../../../functions/schedules/event-catch-up.ts';
import { handler as receiveEvent } from '../../../../functions/webhooks/stripe-webhook.ts';
import { MemoryEventCursor } from '../../../fixtures/fakes/memory-event-cursor.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { ada, beginOnFree, billing, planTable, pool, tasks } from '../ada.ts';
import { eventSubject } from './event-subject.ts';

const { now, log } = beginOnFree('2026-02-08T12:00:00Z');

let has: MockInstance<typeof pool.has>;

beforeEach(() => {
  has = vi.spyOn(pool, 'has');
  for (const user of ['ada', 'gone']) {
    billing.customers.set(`cus_${user}`, user);
    billing.subscribe(`cus_${user}`, { id: `sub_${user}` });
    planTable.put({ id: user, plan: 'plus', billing_customer_id: `cus_${user}`, version: 1 });
  }
});

/** The run of the schedule `billing-tasks` some hours later. */
const hoursLater = (hours: number) => {
  const later = new Date(now.getTime() + hours * 3_600_000);
  return runBillingTasks(ada, () => later)();
};

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
const statusOf = (id: string) => billing.subscriptions.get(id)?.state.kind;

const handle = async (body: ReturnType<typeof event>): Promise<void> => {
  const { status } = await call(receiveEvent.with(ada), { body, headers: { 'stripe-signature': 'good' } });
  expect(status).toBe(200);
};

describe('an upcoming renewal', () => {
  test('ends nothing while the user was missed only once', async () => {
    await handle(event('cus_gone'));
    expect(statusOf('sub_gone')).toBe('active');
    expect(planTable.rows.has('gone')).toBe(true);
    pool.put({ username: 'gone' });
    await hoursLater(1);
    expect(statusOf('sub_gone')).toBe('active');
    expect(tasks.items.size).toBe(0);
  });

  test('ends the billing of an account that is missing an hour later too', async () => {
    await handle(event('cus_gone'));
    await hoursLater(0.9);
    expect(statusOf('sub_gone')).toBe('active');
    await hoursLater(1);
    expect(statusOf('sub_gone')).toBe('canceled');
    expect(billing.customers.has('cus_gone')).toBe(false);
    expect(planTable.rows.has('gone')).toBe(false);
    expect([...tasks.items.keys()]).toEqual(['end#cus_gone']);
    await hoursLater(2);
    expect(tasks.items.size).toBe(0);
  });

  test('changes nothing for an existing account', async () => {
    await handle(event('cus_ada'));
    expect(statusOf('sub_ada')).toBe('active');
    expect(planTable.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: 'sub_ada' });
    expect(has.mock.calls).toEqual([['ada']]);
  });

  test('takes two looks even if Cognito did not answer the first time', async () => {
    has.mockRejectedValueOnce(new Error('TooManyRequestsException'));
    await handle(event('cus_gone'));
    await hoursLater(1);
    expect(statusOf('sub_gone')).toBe('active');
    await hoursLater(2);
    expect(statusOf('sub_gone')).toBe('canceled');
  });

  test('also removes a customer that no row knows', async () => {
    planTable.rows.delete('gone');
    await handle(event('cus_gone'));
    await hoursLater(1);
    expect(statusOf('sub_gone')).toBe('canceled');
    expect(planTable.rows.has('gone')).toBe(false);
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

test('an event is about the user of its mark, and a renewal about the user of its customer', async () => {
  const lastPaidOf = vi.spyOn(billing, 'lastPaidOf');
  const subject = eventSubject({ type: 'invoice.paid', userId: 'gone', paid: true });
  expect((await handleStripeEvent(ada, subject, now))?.row.id).toBe('gone');
  expect(lastPaidOf).toHaveBeenCalledTimes(1);
  expect(log.of('plan-decided')).toMatchObject([{ user: 'gone', trigger: 'invoice.paid' }]);
  const renewal = { ...subject, renewalUpcoming: true };
  expect((await handleStripeEvent(ada, renewal, now))?.row.id).toBe('ada');
});

test('the event catch-up handles an upcoming renewal that newer events of its customer follow', async () => {
  billing.events.push(
    event('cus_gone', 'invoice.paid'),
    event('cus_gone'),
    event('cus_gone', 'invoice.paid'),
  );
  await catchUp({ ...ada, cursor: new MemoryEventCursor() })();
  await hoursLater(1);
  expect(statusOf('sub_gone')).toBe('canceled');
});
