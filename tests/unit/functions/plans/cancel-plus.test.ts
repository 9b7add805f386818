import { describe, expect, test, vi } from 'vitest';
import { handler as cancelSubscription } from '../../../../functions/api/cancel-subscription.ts';
import { handler as getPlan } from '../../../../functions/api/plan.ts';
import { handler as renewSubscription } from '../../../../functions/api/renew-subscription.ts';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { CANCELED } from '../../../fixtures/fakes/memory-billing.ts';
import { ada, beginOnFree, billing, planTable } from '../ada.ts';
import { checkOut } from './checkout-acts.ts';

const { now } = beginOnFree();

const cancel = (subscription_id: string | null, user = 'ada') =>
  call(cancelSubscription.with(ada), { user, body: { subscription_id } });
const renew = (user = 'ada') => call(renewSubscription.with(ada), { user });

describe('cancelling and renewing', () => {
  const outcomeOf = ({ body }: { body: Record<string, unknown> }) => (body['code'] ?? 'ok') as string;

  /** Does something else as Stripe is asked to cancel. */
  const atCancellation = (act: () => unknown) => {
    const cancelAtPeriodEnd = billing.cancelAtPeriodEnd.bind(billing);
    vi.spyOn(billing, 'cancelAtPeriodEnd').mockImplementation(async (subscription) => {
      act();
      return cancelAtPeriodEnd(subscription);
    });
  };

  test('a cancellation answers with the end that Stripe has set, which may not be the end of the period', async () => {
    const { id, currentPeriodEnd } = billing.subscribe('cus_ada');
    const endsAt = currentPeriodEnd - 86_400;
    vi.spyOn(billing, 'cancelAtPeriodEnd').mockImplementation(async (subscription) => {
      billing.change(id, { endsAt });
      return { ...subscription, endsAt };
    });
    expect((await cancel(id)).body).toEqual({ success: true, current_period_end: endsAt });
  });

  test('a cancellation within the hour of a renewal succeeds although Stripe keeps its draft, and leaves a task', async () => {
    const { id } = billing.subscribe('cus_ada', { state: { kind: 'renewing' } });
    vi.spyOn(billing, 'voidInvoices').mockRejectedValue(new Error('Stripe refuses.'));
    expect(await cancel(id)).toMatchObject({ status: 200, body: { success: true, ended: true } });
    expect(ada.tasks.items.get('reconcile#cus_ada')).toMatchObject({ failure: 'Error: Stripe refuses.' });
  });

  test('a subscription that was renewed just before its cancellation ends at once, without the new charge', async () => {
    const { id } = billing.subscribe('cus_ada');
    atCancellation(() => billing.change(id, { state: { kind: 'renewing' } }));
    expect(await cancel(id)).toMatchObject({ status: 200, body: { success: true, ended: true } });
    expect(billing.subscriptions.get(id)).toMatchObject({ state: CANCELED });
  });

  test('a cancellation succeeds although the account is deleted before it is written', async () => {
    const { id, currentPeriodEnd } = billing.subscribe('cus_ada');
    atCancellation(() => planTable.rows.delete('ada'));
    const body = { success: true, current_period_end: currentPeriodEnd };
    expect(await cancel(id)).toEqual({ status: 200, body });
  });

  test('a complimentary plan whose account is deleted while it is cancelled is refused', async () => {
    planTable.put({ id: 'ada', plan: 'plus', version: 1 });
    vi.spyOn(planTable, 'decide').mockImplementation(async (row, { plan_expires_at }) => {
      if (!plan_expires_at) return row;
      planTable.rows.delete('ada');
      return undefined;
    });
    expect(await cancel(null)).toMatchObject(refused(404, 'no-active-subscription'));
  });

  test('a complimentary plan that is going to end cannot be cancelled again', async () => {
    planTable.put({ id: 'ada', plan: 'plus', plan_expires_at: '2026-01-31T23:59:59.999Z', version: 1 });
    expect(await cancel(null)).toMatchObject(refused(409, 'already-cancelled'));
  });

  test.each([null, 'sub_1'])('a user without a row has nothing to cancel (%o)', async (id) => {
    expect(await cancel(id, 'nobody')).toMatchObject(refused(404, 'no-active-subscription'));
  });

  test('an open contract beside it stays, by an unknown id too, and ends without an id', async () => {
    const paused = billing.subscribe('cus_ada', { state: { kind: 'paused' } });
    const active = billing.subscribe('cus_ada');
    expect(await cancel('sub_unknown')).toMatchObject(refused(404, 'no-active-subscription'));
    expect((await cancel(active.id)).status).toBe(200);
    expect(billing.subscriptions.get(active.id)?.endsAt).toBe(active.currentPeriodEnd);
    billing.change(active.id, { state: CANCELED });
    expect(await cancel('sub_unknown')).toMatchObject(refused(404, 'no-active-subscription'));
    expect(billing.subscriptions.get(paused.id)?.state.kind).toBe('paused');
    expect(await cancel(null)).toMatchObject({ status: 200, body: { ended: true } });
    expect(billing.subscriptions.get(paused.id)?.state).toEqual(CANCELED);
  });

  test('a complimentary plan is not cancelled by the id of a subscription', async () => {
    planTable.put({ id: 'ada', plan: 'plus', version: 1 });
    expect(await cancel('sub_unknown')).toMatchObject(refused(404, 'no-active-subscription'));
    expect(planTable.rows.get('ada')).not.toHaveProperty('plan_expires_at');
  });

  test('a cancellation that Stripe has recorded succeeds although Stripe refuses the end, and no other', async () => {
    billing.subscribe('cus_ada', { state: CANCELED, ended: 'declined', invoicesVoided: true });
    const { id } = billing.subscribe('cus_ada', { state: { kind: 'past-due' } });
    const refuse = vi.spyOn(billing, 'cancelUnpaid').mockRejectedValue(new Error('Stripe refuses.'));
    expect((await cancel(id)).status).toBe(500);
    refuse.mockImplementation(async () => {
      billing.change(id, { state: CANCELED, ended: 'declined' });
      throw new Error('Stripe refuses.');
    });
    expect(await cancel(id)).toMatchObject({ status: 200, body: { success: true, ended: true } });
  });

  test('a refused cancellation writes no plan', async () => {
    const decide = vi.spyOn(planTable, 'decide');
    await cancel('sub_unknown');
    await renew();
    expect(decide).not.toHaveBeenCalled();
  });

  test('two tabs at the same time cancel once and renew once, and the slower may be refused', async () => {
    const { id } = billing.subscribe('cus_ada');
    const cancelled = (await Promise.all([cancel(id), cancel(id)])).map(outcomeOf).toSorted();
    expect(cancelled).toEqual([expect.toBeOneOf(['already-cancelled', 'ok']), 'ok']);
    expect(planTable.rows.get('ada')).toHaveProperty('plan_expires_at');

    const renewed = (await Promise.all([renew(), renew()])).map(outcomeOf).toSorted();
    expect(renewed).toEqual([expect.toBeOneOf(['nothing-to-renew', 'ok']), 'ok']);
    expect(planTable.rows.get('ada')).toMatchObject({ plan: 'plus', stripe_subscription_id: id });
    expect(planTable.rows.get('ada')).not.toHaveProperty('plan_expires_at');
  });

  test('a subscription that ends during the request is neither cancelled nor renewed', async () => {
    const { id } = billing.subscribe('cus_ada');
    /** Stripe ends the subscription right after the next read. */
    const endAfterRead = () => {
      const original = billing.subscriptionsOf.bind(billing);
      vi.spyOn(billing, 'subscriptionsOf').mockImplementationOnce(async (...asked) => {
        const answer = await original(...asked);
        billing.change(id, { state: CANCELED });
        return answer;
      });
    };
    endAfterRead();
    expect((await cancel(id)).body['code']).toBe('no-active-subscription');
    billing.change(id, { state: { kind: 'active' }, endsAt: Date.UTC(2026, 1, 15) / 1000 });
    endAfterRead();
    expect((await renew()).body['code']).toBe('nothing-to-renew');
    expect(planTable.rows.get('ada')?.plan).toBe('free');
  });

  test('a cancelled complimentary plan ends with the calendar month and cannot be renewed', async () => {
    planTable.put({ id: 'guest', plan: 'plus' });
    expect((await cancel(null, 'guest')).body).toEqual({
      success: true,
      current_period_end: Date.parse('2026-01-31T23:59:59.999Z') / 1000,
    });
    expect((await renew('guest')).body['code']).toBe('nothing-to-renew');
  });
});

describe('with a subscription in each state', () => {
  const periodEnd = Date.UTC(2026, 1, 15) / 1000;
  const earlier = Date.UTC(2026, 0, 25) / 1000;
  const renewing = { plan: 'plus', stripe_subscription_id: 'sub', stripe_customer_id: 'cus_ada' };
  const endingAt = (seconds: number) => ({
    plan: 'plus',
    plan_expires_at: new Date(seconds * 1000).toISOString(),
    stripe_customer_id: 'cus_ada',
  });
  const free = { plan: 'free' };
  /** The plan's fields of a row. */
  const planOf = ({ plan, plan_expires_at, stripe_subscription_id, stripe_customer_id }: UserPlan) => ({
    plan,
    ...(plan_expires_at && { plan_expires_at }),
    ...(stripe_subscription_id && { stripe_subscription_id }),
    ...(stripe_customer_id && { stripe_customer_id }),
  });

  const actions = {
    plan: () => call(getPlan.with(ada), { user: 'ada' }),
    cancel: () => cancel('sub'),
    renew,
    checkout: () => checkOut(),
  };
  type Action = keyof typeof actions;

  /** `ok` or the refusal's code, the plan afterwards, and the subscription's new status if it changes. */
  type Outcome = [answer: string, plan: object, status?: string];
  const ended: Record<Action, Outcome> = {
    plan: ['ok', free],
    cancel: ['no-active-subscription', free],
    renew: ['nothing-to-renew', free],
    checkout: ['ok', free],
  };
  /** It gives no plan, and hasn't ended. */
  const contract: Record<Action, Outcome> = { ...ended, cancel: ['ok', free, 'canceled'] };
  const entitling: Record<Action, Outcome> = {
    plan: ['ok', renewing],
    cancel: ['ok', endingAt(periodEnd)],
    renew: ['nothing-to-renew', renewing],
    checkout: ['already-subscribed', renewing],
  };
  const ending = (at: number): Record<Action, Outcome> => ({
    plan: ['ok', endingAt(at)],
    cancel: ['already-cancelled', endingAt(at)],
    renew: ['ok', renewing],
    checkout: ['renew-instead', endingAt(at)],
  });

  const states: [string, Partial<Subscription>, Record<Action, Outcome>][] = [
    ['active', { state: { kind: 'active' } }, entitling],
    // The paid period is over, so a cancellation ends the subscription at once.
    ['past_due', { state: { kind: 'past-due' } }, { ...entitling, cancel: ['ok', free, 'canceled'] }],
    ['ending with its period', { endsAt: periodEnd }, ending(periodEnd)],
    ['ending on a date that was set in the portal', { endsAt: earlier }, ending(earlier)],
    ['past_due and ending', { state: { kind: 'past-due' }, endsAt: periodEnd }, ending(periodEnd)],
    // Nothing that was paid ends because its user opens a checkout.
    ['unpaid', { state: { kind: 'unpaid' } }, contract],
    ['unpaid and ending', { state: { kind: 'unpaid' }, endsAt: periodEnd }, contract],
    ['paused', { state: { kind: 'paused' } }, contract],
    ['incomplete', { state: { kind: 'incomplete' } }, { ...ended, checkout: ['ok', free, 'canceled'] }],
    ['incomplete_expired', { state: { kind: 'expired' } }, ended],
    ['canceled', { state: CANCELED }, ended],
    ['in an unknown status', { state: { kind: 'unknown' } }, ended],
  ];
  const cases = states.flatMap(([state, fields, outcomes]) =>
    Object.entries(outcomes).map(([action, outcome]) => [state, action as Action, fields, outcome] as const),
  );

  test.each(cases)('%s: %s', async (_, action, fields, [expected, plan, kind]) => {
    const before = billing.subscribe('cus_ada', { id: 'sub', currentPeriodEnd: periodEnd, ...fields });
    await reconcile(ada, 'ada', now, { trigger: 'test' });

    const answer = await actions[action]();

    expect(answer.status === 200 ? 'ok' : answer.body['code']).toBe(expected);
    expect(billing.subscriptions.get('sub')?.state.kind).toBe(kind ?? before.state.kind);
    const row = planTable.rows.get('ada');
    expect(row && planOf(row)).toEqual(plan);
    // A second reconciliation changes nothing.
    await reconcile(ada, 'ada', now, { trigger: 'test' });
    const after = planTable.rows.get('ada');
    expect(after && planOf(after)).toEqual(plan);
    expect(billing.refunds).toEqual([]);
  });

  test('cancelling a past_due subscription ends it at once, and the response says so', async () => {
    billing.subscribe('cus_ada', { id: 'sub', state: { kind: 'past-due' } });
    const answer = { success: true, current_period_end: now.getTime() / 1000, ended: true };
    expect((await cancel('sub')).body).toEqual(answer);
  });

  test('cancelling without a subscription id is refused if the subscription is cancelled, and the row has its end', async () => {
    billing.subscribe('cus_ada', { id: 'sub', endsAt: periodEnd });
    expect((await cancel(null)).body['code']).toBe('already-cancelled');
    expect(planTable.rows.get('ada')).toMatchObject(endingAt(periodEnd));
  });
});
