import { beforeEach, expect, test, vi } from 'vitest';
import { reconcile, withSubscription } from '../../../../functions/plans/reconcile.ts';
import { metricsOf } from '../../../fixtures/fakes/metrics-of.ts';
import { CANCELED } from '../../../fixtures/fakes/memory-billing.ts';
import { beginOnFree, billing, planTable, tasks } from '../ada.ts';

const { now, log } = beginOnFree();
// A reconciliation that loses the write retries at once.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

const reconcileUser = (options: object = {}) =>
  reconcile({ planTable, billing, tasks }, 'user', now, { trigger: 'test', ...options });
const payer = (id: string): string => {
  const customer = `cus_of_${id}`;
  billing.customers.set(customer, id);
  planTable.put({ id, billing_customer_id: customer, version: 1 });
  return customer;
};

test('a reconciliation with an older answer from Stripe does not overwrite a newer decision', async () => {
  const subscription = billing.subscribe(payer('user'));
  // After the first reconciliation has read its row and Stripe's answer, the subscription ends and a second
  // reconciliation writes that.
  const original = billing.subscriptionsOf.bind(billing);
  vi.spyOn(billing, 'subscriptionsOf').mockImplementationOnce(async (...asked) => {
    const answer = await original(...asked);
    billing.change(subscription.id, { state: CANCELED });
    await reconcileUser();
    return answer;
  });
  await reconcileUser();
  expect(planTable.rows.get('user')).toMatchObject({ plan: 'free' });
});

test('a decision that changes nothing still makes an older decision lose', async () => {
  const customer = payer('user');
  const before = await planTable.read('user');
  await reconcileUser();
  expect(before && (await planTable.decide(before, { plan: 'plus' }, now))).toBeUndefined();
  expect(planTable.rows.get('user')).toMatchObject({ plan: 'free', billing_customer_id: customer });
});

test.each([
  ['renews', undefined],
  ['is going to end', Date.UTC(2026, 1, 15) / 1000],
])(
  'concurrent reconciliations keep the same subscription although the overdue one is paid in between: the one that %s',
  async (_, endsAt) => {
    const customer = payer('user');
    const overdue = billing.subscribe(customer, { state: { kind: 'past-due' } });
    const paid = billing.subscribe(customer, { endsAt });
    // The first reconciliation has decided to end the overdue subscription. Before it does, that one is paid
    // and another reconciliation runs.
    const refundAndCancel = billing.refundAndCancel.bind(billing);
    vi.spyOn(billing, 'refundAndCancel').mockImplementationOnce(async (subscription) => {
      billing.change(overdue.id, { state: { kind: 'active' } });
      await reconcileUser();
      return refundAndCancel(subscription);
    });
    await reconcileUser();
    const kinds = [overdue, paid].map(({ id }) => billing.subscriptions.get(id)?.state.kind);
    expect(kinds).toEqual(['canceled', 'active']);
    expect(planTable.rows.get('user')).toMatchObject({ plan: 'plus' });
  },
);

test('a late event does not recreate the row of a deleted account', async () => {
  expect(await reconcile({ planTable, billing, tasks }, 'gone', now, { trigger: 'test' })).toBeUndefined();
  expect([...planTable.rows.keys()]).toEqual(['ada']);
});

/** Lets another decision be written just before each of the next `count` writes. */
const loseWrites = (count: number) => {
  const decide = planTable.decide.bind(planTable);
  const spy = vi.spyOn(planTable, 'decide');
  for (let lost = 0; lost < count; lost += 1) {
    spy.mockImplementationOnce(async (row, ...rest) => {
      const newest = await planTable.read(row.id);
      if (newest) await decide(newest, { plan: 'free' }, now);
      return decide(row, ...rest);
    });
  }
  return spy;
};

test('a call that has lost to two decisions leaves it at the second, which began later than itself', async () => {
  const customer = payer('user');
  billing.subscribe(customer);
  billing.subscribe(customer);
  const decide = loseWrites(5);
  const reconciled = await reconcileUser();
  expect(reconciled?.row).toMatchObject({ plan: 'free', version: 3 });
  expect(reconciled?.subscriptions).toHaveLength(2);
  expect(decide).toHaveBeenCalledTimes(2);
  expect(billing.refunds).toEqual([]);
});

test('decisions before a change at Stripe do not stand for the decision after it', async () => {
  const subscription = billing.subscribe(payer('user'));
  const row = planTable.rows.get('user')!;
  // Two other decisions were written since the row was read, and before the subscription was ended.
  const ids = { stripe_subscription_id: subscription.id, stripe_customer_id: subscription.customerId };
  const plus = { plan: 'plus', ...ids } as const;
  await planTable.decide(row, plus, now);
  await planTable.decide({ ...row, version: row.version + 1 }, plus, now);
  billing.change(subscription.id, { state: CANCELED });
  const known = { row, subscriptions: await billing.subscriptionsOf(subscription.customerId) };
  const reconciled = await reconcileUser({ known });
  expect(reconciled?.row).toMatchObject({ plan: 'free' });
  expect(planTable.rows.get('user')).toMatchObject({ plan: 'free' });
});

test('the end of a complimentary plan is written by the call that schedules it, or refused as busy', async () => {
  planTable.put({ id: 'user', plan: 'plus', version: 1 });
  const decide = planTable.decide.bind(planTable);
  const lose = vi.spyOn(planTable, 'decide').mockImplementation(async (row, ...rest) => {
    await decide(row, { plan: 'plus' }, now);
    return decide(row, ...rest);
  });
  const options = { cancelComplimentary: true };
  await expect(reconcileUser(options)).rejects.toMatchObject({ code: 'busy' });
  expect(lose).toHaveBeenCalledTimes(10);
  lose.mockRestore();
  const reconciled = await reconcileUser(options);
  expect(reconciled?.row.plan_expires_at).toBe('2026-01-31T23:59:59.999Z');
});

test('an account that is being deleted is not left to decisions that its deletion only counts', async () => {
  const subscription = billing.subscribe(payer('user'));
  const decide = planTable.decide.bind(planTable);
  vi.spyOn(planTable, 'decide').mockImplementationOnce(async (row, ...rest) => {
    await planTable.close('user', '2026-01-20T12:02:00.000Z');
    await planTable.close('user', '2026-01-20T12:02:00.000Z');
    return decide(row, ...rest);
  });
  await reconcileUser();
  expect(planTable.rows.get('user')).toMatchObject({ stripe_subscription_id: subscription.id });
});

test('a user without a customer has no subscriptions, and nothing is asked of Stripe', async () => {
  planTable.put({ id: 'user', version: 1 });
  billing.down = true;
  const reconciled = await reconcileUser();
  expect(reconciled?.subscriptions).toEqual([]);
});

test('a plan that begins by a payment, or no longer renews, is counted once', async () => {
  const subscription = billing.subscribe(payer('user'));
  const counted = async (): Promise<unknown[]> =>
    (await metricsOf(() => reconcileUser())).map(({ _aws, ...counts }) => counts);
  expect(await counted()).toEqual([{ PlusStarted: 1 }]);
  expect(await counted()).toEqual([]);
  billing.change(subscription.id, { endsAt: subscription.currentPeriodEnd, cancelsAtPeriodEnd: true });
  expect(await counted()).toEqual([{ Cancellations: 1 }]);
  expect(await counted()).toEqual([]);
  billing.change(subscription.id, { state: CANCELED });
  expect(await counted()).toEqual([]);
  // Without notice, and of a plan that nobody pays for.
  const another = billing.subscribe('cus_of_user');
  expect(await counted()).toEqual([{ PlusStarted: 1 }]);
  billing.change(another.id, { state: CANCELED });
  expect(await counted()).toEqual([{ Cancellations: 1 }]);
  planTable.put({ id: 'user', plan: 'plus', version: 1 });
  expect(await metricsOf(() => reconcileUser({ cancelComplimentary: true }))).toEqual([]);
});

test('only changes are written where only they are asked for', async () => {
  billing.subscribe(payer('user'));
  const version = (await reconcileUser())?.row.version;
  expect((await reconcileUser({ onlyChanges: true }))?.row.version).toBe(version);
  const row = planTable.rows.get('user')!;
  planTable.put({ ...row, stripe_customer_id: 'cus_old' });
  await reconcileUser({ onlyChanges: true });
  expect(planTable.rows.get('user')).toMatchObject({ stripe_customer_id: row.stripe_customer_id });
});

test('Stripe is asked for the next charge once for each charge that a mail names, and before a renewal', async () => {
  const asked = vi.spyOn(billing, 'nextChargeOf');
  const subscription = billing.subscribe(payer('user'));
  await mailed();
  expect(asked).toHaveBeenCalledTimes(1);
  await reconcileUser();
  expect(asked).toHaveBeenCalledTimes(1);
  await reconcileUser({ previewsCharge: true });
  expect(asked).toHaveBeenCalledTimes(2);
  billing.change(subscription.id, { currentPeriodEnd: subscription.currentPeriodEnd + 86_400 * 30 });
  await reconcileUser();
  expect(asked).toHaveBeenCalledTimes(3);
});

/** The decision of a plan that its user was mailed about. */
const mailed = async () => {
  const decided = await reconcileUser();
  planTable.put({ ...decided!.row, billing_notified: JSON.stringify(decided!.facts) });
  tasks.items.clear();
  return decided!;
};
const works = () => [...tasks.items.values()].map(({ work }) => work);

test('a higher charge that only the preview shows is mailed, by a task or by the task that asks', async () => {
  billing.subscribe(payer('user'));
  await mailed();
  vi.spyOn(billing, 'nextChargeOf').mockResolvedValue({ amount: 99_900, currency: 'usd' });
  const inAWeekOfTheRenewal = new Date('2026-02-08T12:00:00Z');
  for (const [option, expected] of [
    [{}, []],
    [{ mailsNext: true }, []],
    [{ previewsCharge: true }, ['notify']],
  ] as const) {
    const options = { trigger: 'test', onlyChanges: true, ...option };
    await reconcile({ planTable, billing, tasks }, 'user', inAWeekOfTheRenewal, options);
    expect(works()).toEqual(expected);
  }
});

test('a new end is mailed, and its reminder is due', async () => {
  billing.subscribe(payer('user'), { endsAt: Date.UTC(2026, 1, 15) / 1000 });
  await reconcileUser();
  expect(works()).toEqual(['notify', 'remind']);
});

test('the payment that Stripe names is read where the caller knows of one', async () => {
  const { id, latestInvoice } = billing.subscribe(payer('user'));
  billing.change(id, { latestInvoice: { ...latestInvoice!, paidAt: undefined } });
  vi.spyOn(billing, 'lastPaidOf').mockResolvedValue({ ...latestInvoice!, paidAt: 1_771_156_900 });
  expect((await reconcileUser())?.facts?.paid).toBeUndefined();
  expect((await reconcileUser({ readsPayment: true }))?.facts?.paid?.at).toBe(1_771_156_900);
});

test('a plan whose payment failed is decided again a day after Stripe’s next try', async () => {
  const nextTryAt = Date.UTC(2026, 0, 25) / 1000;
  billing.subscribe(payer('user'), { state: { kind: 'past-due', nextTryAt } });
  const again = '2026-01-26T00:00:00.000Z';
  expect((await reconcileUser())?.triesEnd?.toISOString()).toBe(again);
  const task = { customer_id: 'cus_of_user', user_id: 'user', due: again };
  expect(tasks.items.get('tries-end#cus_of_user')).toMatchObject(task);
});

test('a subscription beside an ended one is no contradiction', async () => {
  const customer = payer('user');
  billing.subscribe(customer, { state: CANCELED, invoicesVoided: true });
  billing.subscribe(customer);
  await reconcileUser();
  expect(log.of('plan-contradiction')).toEqual([]);
});

test('Stripe’s answer takes the place of the subscription that it changed', () => {
  const [first, second] = [billing.subscribe('cus_ada'), billing.subscribe('cus_ada')];
  const row = planTable.rows.get('ada')!;
  const changed = { ...second, endsAt: 1 };
  const { subscriptions } = withSubscription({ row, subscriptions: [first, second] }, changed);
  expect(subscriptions).toEqual([first, changed]);
});
