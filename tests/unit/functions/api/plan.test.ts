import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { MemoryTasks } from '../../../fixtures/fakes/memory-tasks.ts';
import { getPlan } from '../../../../functions/api/plan.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import type { MemorySessionUser } from '../../../fixtures/fakes/memory-session-user.ts';
import type { MemoryBilling } from '../../../fixtures/fakes/memory-billing.ts';
import type { MemoryPlans } from '../../../fixtures/fakes/memory-plans.ts';

const now = new Date('2026-01-20T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;
let tasks: MemoryTasks;
let sessionUser: MemorySessionUser;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  ({ plans, billing, tasks, sessionUser } = adaOnFree());
});

describe('reading a plan', () => {
  test('creates the Free row that sign-up failed to create, and records the sign-in', async () => {
    const answer = await call(getPlan({ plans, billing, tasks, sessionUser }), {
      user: 'new',
      authTime: 1_768_900_000,
    });
    expect(answer.body).toEqual({
      plan: 'free',
      planExpiresAt: null,
      stripeSubscriptionId: null,
      createdAt: now.toISOString(),
      lastSignInAt: '2026-01-20T09:06:40.000Z',
    });
  });

  test('changes an expired plan to Free', async () => {
    plans.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-01-20T11:00:00.000Z',
      expiry_shard: 1,
      stripe_customer_id: 'cus_ada',
    });
    const answer = await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'ada' });
    expect(answer.body).toMatchObject({ plan: 'free', planExpiresAt: null });
    expect(plans.rows.get('ada')).not.toHaveProperty('stripe_customer_id');
    expect(plans.rows.get('ada')).not.toHaveProperty('expiry_shard');
  });

  test('keeps Plus while Stripe is unreachable', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    plans.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-01-20T11:00:00.000Z',
      stripe_customer_id: 'cus_ada',
    });
    billing.down = true;
    const answer = await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'ada' });
    expect(answer).toMatchObject({ status: 200, body: { plan: 'plus' } });
    expect(vi.mocked(console.error).mock.calls).toMatchObject([
      [{ event: 'plan-not-decided', user: 'ada', trigger: 'GET /plan' }],
    ]);
  });

  test('asks nothing of Stripe before the plan has expired', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    billing.down = true;
    plans.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-01-20T12:00:00.001Z',
      billing_customer_id: 'cus_ada',
      version: 1,
    });
    expect(await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'ada' })).toMatchObject({
      status: 200,
      body: { plan: 'plus', planExpiresAt: '2026-01-20T12:00:00.001Z' },
    });
    expect(error).not.toHaveBeenCalled();
  });

  test('answers from the row that was read if the account is deleted meanwhile, which is no failure', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    plans.put({ id: 'ada', plan: 'plus', plan_expires_at: '2026-01-20T11:00:00.000Z', version: 1 });
    vi.spyOn(plans, 'decide').mockImplementation(async ({ id }) => {
      plans.rows.delete(id);
      return undefined;
    });
    expect(await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'ada' })).toMatchObject({
      status: 200,
      body: { plan: 'plus' },
    });
    expect(error).not.toHaveBeenCalled();
  });

  test('records a sign-in once, and a later sign-in in its place', async () => {
    const recordSignIn = vi.spyOn(plans, 'recordSignIn');
    const signedInAt = async (authTime: number) =>
      (await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'ada', authTime })).body[
        'lastSignInAt'
      ];
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:40.000Z');
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:40.000Z');
    expect(recordSignIn).toHaveBeenCalledTimes(1);
    expect(await signedInAt(1_768_900_001)).toBe('2026-01-20T09:06:41.000Z');
    // A token of an earlier sign-in is still in use on another device.
    expect(await signedInAt(1_768_900_000)).toBe('2026-01-20T09:06:41.000Z');
    expect(recordSignIn).toHaveBeenCalledTimes(2);
    expect(plans.rows.get('ada')?.last_sign_in_at).toBe('2026-01-20T09:06:41.000Z');
  });

  test('is the same for an app', async () => {
    const scope = 'openid email profile';
    plans.put({ id: 'ada', plan: 'plus', stripe_subscription_id: 'sub_ada', version: 1 });
    expect(await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'ada', scope })).toEqual(
      await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'ada' }),
    );
  });

  test('is Free for an app as long as there is no row, without a question that Cognito refuses', async () => {
    const asked = vi.spyOn(sessionUser, 'profile');
    const answer = await call(getPlan({ plans, billing, tasks, sessionUser }), {
      user: 'new',
      scope: 'openid email profile',
    });
    expect(answer).toMatchObject({ status: 200, body: { plan: 'free', createdAt: null } });
    expect(asked).not.toHaveBeenCalled();
    expect(plans.rows.has('new')).toBe(false);
  });

  test('does not recreate the row of a deleted account whose token is still valid', async () => {
    sessionUser.current = undefined;
    const answer = await call(getPlan({ plans, billing, tasks, sessionUser }), { user: 'gone' });
    expect(answer.status).toBe(401);
    expect(plans.rows.has('gone')).toBe(false);
  });

  test('is refused without a token', async () => {
    expect(await call(getPlan({ plans, billing, tasks, sessionUser }), {})).toEqual({
      status: 401,
      body: { error: 'No user logged in', code: 'not-signed-in' },
    });
  });
});
