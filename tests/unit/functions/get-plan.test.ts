import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getPlan } from '../../../functions/api/plan.ts';
import { adaOnFree } from '../../fixtures/ada-on-free.ts';
import { call } from '../../fixtures/http-event.ts';
import type { MemorySessionUser } from '../../fixtures/memory-session-user.ts';
import type { MemoryBilling } from '../../fixtures/memory-billing.ts';
import type { MemoryPlans } from '../../fixtures/memory-plans.ts';

const now = new Date('2026-01-20T12:00:00Z');
let plans: MemoryPlans;
let billing: MemoryBilling;
let sessionUser: MemorySessionUser;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.spyOn(console, 'info').mockImplementation(() => {});
  ({ plans, billing, sessionUser } = adaOnFree());
});

describe('reading a plan', () => {
  test('creates the Free row that sign-up failed to create, and records the sign-in', async () => {
    const answer = await call(getPlan({ plans, billing, sessionUser }), {
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
    const answer = await call(getPlan({ plans, billing, sessionUser }), { user: 'ada' });
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
    const answer = await call(getPlan({ plans, billing, sessionUser }), { user: 'ada' });
    expect(answer).toMatchObject({ status: 200, body: { plan: 'plus' } });
  });

  test('does not recreate the row of a deleted account whose token is still valid', async () => {
    sessionUser.current = undefined;
    const answer = await call(getPlan({ plans, billing, sessionUser }), { user: 'gone' });
    expect(answer.status).toBe(401);
    expect(plans.rows.has('gone')).toBe(false);
  });

  test('is refused without a token', async () => {
    expect(await call(getPlan({ plans, billing, sessionUser }), {})).toEqual({
      status: 401,
      body: { error: 'No user logged in', code: 'not-signed-in' },
    });
  });
});
