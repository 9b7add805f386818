import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getPlan } from '../../../../functions/api/plan.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { type Call, call, callForHeaders } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
const log = watchLog();
let ada = adaOnFree();
beforeEach(() => void (ada = adaOnFree()));

describe('reading a plan', () => {
  const read = (sent: Call = {}) => call(getPlan(ada), { user: 'ada', ...sent });
  const readWithHeaders = (sent: Call = {}) => callForHeaders(getPlan(ada), { user: 'ada', ...sent });
  /** Plus that was to end an hour ago. */
  const expired = {
    id: 'ada',
    plan: 'plus',
    plan_expires_at: '2026-01-20T11:00:00.000Z',
    version: 1,
  } as const;

  test('creates the Free row that sign-up failed to create, and records the sign-in', async () => {
    const answer = await read({
      user: 'new',
      authTime: 1_768_900_000,
    });
    expect(answer.body).toEqual({
      plan: 'free',
      planExpiresAt: null,
      stripeSubscriptionId: null,
      createdAt: now.toISOString(),
      lastSignInAt: '2026-01-20T09:06:40.000Z',
      mailBounces: false,
    });
  });

  test('changes an expired plan to Free', async () => {
    ada.planTable.put({ ...expired, expiry_shard: 1, stripe_customer_id: 'cus_ada' });
    const answer = await read();
    expect(answer.body).toMatchObject({ plan: 'free', planExpiresAt: null });
    expect(ada.planTable.rows.get('ada')).not.toHaveProperty('stripe_customer_id');
    expect(ada.planTable.rows.get('ada')).not.toHaveProperty('expiry_shard');
  });

  test('keeps Plus while Stripe is unreachable', async () => {
    ada.planTable.put({ ...expired, billing_customer_id: 'cus_ada' });
    ada.billing.down = true;
    const answer = await read();
    expect(answer).toMatchObject({ status: 200, body: { plan: 'plus' } });
    expect(log.errors).toMatchObject([{ event: 'plan-not-decided', user: 'ada', trigger: 'GET /plan' }]);
  });

  test.each([
    ['Free', { plan: 'free' }, 900],
    ['Plus', { plan: 'plus', stripe_subscription_id: 'sub_1' }, 900],
    ['Plus that ends in a month', { plan: 'plus', plan_expires_at: '2026-02-20T12:00:00.000Z' }, 900],
    ['Plus that ends in ten minutes', { plan: 'plus', plan_expires_at: '2026-01-20T12:10:00.000Z' }, 600],
    ['Plus that ends in a second', { plan: 'plus', plan_expires_at: '2026-01-20T12:00:01.000Z' }, 60],
  ] as const)('says when to ask again: %s', async (_, row, seconds) => {
    ada.planTable.put({ id: 'ada', version: 1, ...row });
    expect((await readWithHeaders()).headers['cache-control']).toBe(`private, max-age=${seconds}`);
  });

  test('may not be answered from a cache to another user of the same app', async () => {
    expect((await readWithHeaders()).headers['vary']).toBe('authorization');
  });

  test('answers 304 as long as nothing has changed, and the plan as soon as it has', async () => {
    ada.planTable.put({ id: 'ada', plan: 'free', version: 1 });
    const etag = String((await readWithHeaders()).headers['etag']);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await readWithHeaders({ headers: { 'if-none-match': known } });
      expect(again).toMatchObject({ status: 304, body: null, headers: { etag } });
    }
    expect(await read({ headers: { 'if-none-match': '"other"' } })).toMatchObject({ status: 200 });
    ada.planTable.put({ id: 'ada', plan: 'plus', version: 2 });
    const bought = await read({ headers: { 'if-none-match': etag } });
    expect(bought).toMatchObject({ status: 200, body: { plan: 'plus' } });
  });

  test('asks nothing of Stripe before the plan has expired', async () => {
    ada.billing.down = true;
    ada.planTable.put({
      ...expired,
      plan_expires_at: '2026-01-20T12:00:00.001Z',
      billing_customer_id: 'cus_ada',
    });
    expect(await read()).toMatchObject({
      status: 200,
      body: { plan: 'plus', planExpiresAt: '2026-01-20T12:00:00.001Z' },
    });
    expect(log.errors).toEqual([]);
  });

  test('answers from the row that was read if the account is deleted meanwhile, which is no failure', async () => {
    ada.planTable.put(expired);
    vi.spyOn(ada.planTable, 'decide').mockImplementation(async ({ id }) => {
      ada.planTable.rows.delete(id);
      return undefined;
    });
    expect(await read()).toMatchObject({
      status: 200,
      body: { plan: 'plus' },
    });
    expect(log.errors).toEqual([]);
  });

  test('records a sign-in once, and a later sign-in in its place', async () => {
    const recordSignIn = vi.spyOn(ada.planTable, 'recordSignIn');
    const signedInAt = async (authTime: number) => (await read({ authTime })).body['lastSignInAt'];
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:40.000Z');
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:40.000Z');
    expect(recordSignIn).toHaveBeenCalledTimes(1);
    expect(await signedInAt(1_768_900_001)).toBe('2026-01-20T09:06:41.000Z');
    // A token of an earlier sign-in is still in use on another device.
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:41.000Z');
    expect(recordSignIn).toHaveBeenCalledTimes(2);
    expect(ada.planTable.rows.get('ada')?.last_sign_in_at).toBe('2026-01-20T09:06:41.000Z');
  });

  test('is the same for an app', async () => {
    const scope = 'openid email profile';
    ada.planTable.put({ id: 'ada', plan: 'plus', stripe_subscription_id: 'sub_ada', version: 1 });
    expect(await read({ scope })).toEqual(await read());
  });

  test('is Free for an app as long as there is no row, without a question that Cognito refuses', async () => {
    const asked = vi.spyOn(ada.sessionUser, 'profile');
    const answer = await read({
      user: 'new',
      scope: 'openid email profile',
    });
    expect(answer).toMatchObject({ status: 200, body: { plan: 'free', createdAt: null } });
    expect(asked).not.toHaveBeenCalled();
    expect(ada.planTable.rows.has('new')).toBe(false);
  });

  test('does not recreate the row of a deleted account whose token is still valid', async () => {
    ada.pool.accounts.clear();
    const answer = await read({ user: 'gone' });
    expect(answer.status).toBe(401);
    expect(ada.planTable.rows.has('gone')).toBe(false);
  });
});
