import { describe, expect, test, vi } from 'vitest';
import { handler as getPlan } from '../../../../functions/api/plan.ts';
import { type Call, call, callForHeaders } from '../../../fixtures/fakes/http-event.ts';
import { ada, beginOnFree, planTable } from '../ada.ts';

const { now, log } = beginOnFree();

describe('reading a plan', () => {
  const read = (sent: Call = {}) => call(getPlan.with(ada), { user: 'ada', ...sent });
  const readWithHeaders = (sent: Call = {}) => callForHeaders(getPlan.with(ada), { user: 'ada', ...sent });
  /** Plus that was to end an hour ago. */
  const expired = { id: 'ada', plan: 'plus', plan_expires_at: '2026-01-20T11:00:00.000Z' } as const;

  test('creates the Free row that sign-up failed to create, and records the sign-in', async () => {
    expect((await read({ user: 'new', authTime: 1_768_900_000 })).body).toEqual({
      plan: 'free',
      planExpiresAt: null,
      stripeSubscriptionId: null,
      createdAt: now.toISOString(),
      lastSignInAt: '2026-01-20T09:06:40.000Z',
      mailBounces: false,
    });
  });

  test('changes an expired plan to Free', async () => {
    planTable.put({ ...expired, expiry_shard: 1, stripe_customer_id: 'cus_ada' });
    expect((await read()).body).toMatchObject({ plan: 'free', planExpiresAt: null });
    for (const field of ['stripe_customer_id', 'expiry_shard'])
      expect(planTable.rows.get('ada')).not.toHaveProperty(field);
  });

  test('keeps Plus while Stripe is unreachable', async () => {
    planTable.put({ ...expired, billing_customer_id: 'cus_ada' });
    ada.billing.down = true;
    expect(await read()).toMatchObject({ status: 200, body: { plan: 'plus' } });
    expect(log.errors).toMatchObject([{ event: 'plan-not-decided', user: 'ada', trigger: 'GET /plan' }]);
  });

  test.each([
    ['Free', { plan: 'free' }, 900],
    ['Plus', { plan: 'plus', stripe_subscription_id: 'sub_1' }, 900],
    ['Plus that ends in a month', { plan: 'plus', plan_expires_at: '2026-02-20T12:00:00.000Z' }, 900],
    ['Plus that ends in ten minutes', { plan: 'plus', plan_expires_at: '2026-01-20T12:10:00.000Z' }, 600],
    ['Plus that ends in a second', { plan: 'plus', plan_expires_at: '2026-01-20T12:00:01.000Z' }, 60],
  ] as const)('says when to ask again: %s', async (_, row, seconds) => {
    planTable.put({ id: 'ada', version: 1, ...row });
    expect((await readWithHeaders()).headers['cache-control']).toBe(`private, max-age=${seconds}`);
  });

  test('may not be answered from a cache to another user of the same app', async () => {
    expect((await readWithHeaders()).headers['vary']).toBe('authorization');
  });

  test('answers 304 as long as nothing has changed, and the plan as soon as it has', async () => {
    planTable.put({ id: 'ada', plan: 'free', version: 1 });
    const etag = String((await readWithHeaders()).headers['etag']);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await readWithHeaders({ headers: { 'if-none-match': known } });
      expect(again).toMatchObject({ status: 304, body: null, headers: { etag } });
    }
    expect(await read({ headers: { 'if-none-match': '"other"' } })).toMatchObject({ status: 200 });
    planTable.put({ id: 'ada', plan: 'plus', version: 2 });
    const bought = await read({ headers: { 'if-none-match': etag } });
    expect(bought).toMatchObject({ status: 200, body: { plan: 'plus' } });
  });

  test('asks nothing of Stripe before the plan has expired', async () => {
    ada.billing.down = true;
    const plan_expires_at = '2026-01-20T12:00:00.001Z';
    planTable.put({ ...expired, plan_expires_at, billing_customer_id: 'cus_ada' });
    const body = { plan: 'plus', planExpiresAt: plan_expires_at };
    expect(await read()).toMatchObject({ status: 200, body });
    expect(log.errors).toEqual([]);
  });

  test('answers from the row that was read if the account is deleted meanwhile, which is no failure', async () => {
    planTable.put(expired);
    vi.spyOn(planTable, 'decide').mockImplementation(async ({ id }) => {
      planTable.rows.delete(id);
      return undefined;
    });
    expect(await read()).toMatchObject({ status: 200, body: { plan: 'plus' } });
    expect(log.errors).toEqual([]);
  });

  test('records a sign-in once, and a later sign-in in its place', async () => {
    const recordSignIn = vi.spyOn(planTable, 'recordSignIn');
    const signedInAt = async (authTime: number) => (await read({ authTime })).body['lastSignInAt'];
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:40.000Z');
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:40.000Z');
    expect(recordSignIn).toHaveBeenCalledTimes(1);
    expect(await signedInAt(1_768_900_001)).toBe('2026-01-20T09:06:41.000Z');
    // A token of an earlier sign-in is still in use on another device.
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:41.000Z');
    expect(recordSignIn).toHaveBeenCalledTimes(2);
    expect(planTable.rows.get('ada')?.last_sign_in_at).toBe('2026-01-20T09:06:41.000Z');
  });

  test('is the same for an app', async () => {
    const scope = 'openid email profile';
    planTable.put({ id: 'ada', plan: 'plus', stripe_subscription_id: 'sub_ada', version: 1 });
    expect(await read({ scope })).toEqual(await read());
  });

  test('is Free for an app as long as there is no row, without a question that Cognito refuses', async () => {
    const asked = vi.spyOn(ada.sessionUser, 'account');
    const body = { plan: 'free', createdAt: null };
    expect(await read({ user: 'new', scope: 'openid email profile' })).toMatchObject({ status: 200, body });
    expect(asked).not.toHaveBeenCalled();
    expect(planTable.rows.has('new')).toBe(false);
  });
});
