import { describe, expect, test } from 'vitest';
import { decidedRow } from '../../../../functions/domain/decided-row.ts';
import { expiryShard } from '../../../../functions/domain/expiry-shard.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';

const now = new Date('2026-01-20T12:00:00Z');
const shard = expiryShard('ada');
const idle = {
  idle_due_at: '2026-03-01T12:00:00.000Z',
  idle_shard: shard,
  idle_warnings: 1,
  idle_returned_mail: 'mail-1',
};
const cancelled: UserPlan = {
  id: 'ada',
  plan: 'plus',
  plan_expires_at: '2026-02-15T12:00:00.000Z',
  expiry_shard: shard,
  stripe_subscription_id: 'sub_old',
  stripe_customer_id: 'cus_old',
  version: 7,
  ...idle,
};
const onFree: UserPlan = { id: 'ada', plan: 'free', version: 7, ...idle };
const written = { updated_at: '2026-01-20T12:00:00.000Z', version: 8 };

test('an expiring Plus gets the shard of its user, and loses the subscription id that the decision leaves out', () => {
  const end = { plan_expires_at: '2026-03-15T12:00:00.000Z', stripe_customer_id: 'cus_old' };
  const decision = { plan: 'plus', ...end } as const;
  const changed = { stripe_subscription_id: undefined, expiry_shard: shard };
  expect(decidedRow(cancelled, decision, now)).toStrictEqual({ ...decision, ...written, ...changed });
});

test('Free removes the expiry, its shard and both Stripe ids', () => {
  const row = decidedRow(cancelled, { plan: 'free' }, now);
  // Only a field that is present is removed from the row, so `toEqual` would not do.
  for (const field of ['plan_expires_at', 'expiry_shard', 'stripe_subscription_id', 'stripe_customer_id']) {
    expect(row).toHaveProperty(field, undefined);
  }
});

describe('the idle year', () => {
  const begun = {
    // 335 days later, 30 before the year is over.
    idle_due_at: '2026-12-21T12:00:00.000Z',
    idle_shard: shard,
    idle_warnings: undefined,
    idle_returned_mail: undefined,
  };

  test.each([
    ['when Plus ends', cancelled],
    ['on Free for a row without a next step', { id: 'ada', plan: 'free', version: 7 } satisfies UserPlan],
  ])('begins %s, and forgets the warnings', (_, row) => {
    const decided = decidedRow(row, { plan: 'free' }, now);
    expect(decided).toMatchObject(begun);
    for (const field of ['idle_warnings', 'idle_returned_mail']) expect(decided).toHaveProperty(field);
  });

  test.each([
    ['Free to Free', onFree, 'free'],
    ['Free to Plus', onFree, 'plus'],
    ['Plus to Plus', cancelled, 'plus'],
  ] as const)('continues from %s', (_, row, plan) => {
    for (const field of Object.keys(idle)) expect(decidedRow(row, { plan }, now)).not.toHaveProperty(field);
  });
});
