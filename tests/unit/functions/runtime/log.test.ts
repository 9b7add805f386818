import { expect, test } from 'vitest';
import { decidePlan } from '../../../../functions/domain/decide-plan.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { log } from '../../../../functions/runtime/log.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = new Date('2026-02-08T12:00:00Z');
const periodEnd = Date.parse('2026-03-01T00:00:00Z') / 1000;
const logged = watchLog();

test('a log line names its event, and addresses are removed from every text in it', () => {
  log.info('sign-up-refused', { triggerSource: 'PreSignUp_SignUp', sentence: 'ada@example.com is taken.' });
  expect(logged.lines).toEqual([
    { event: 'sign-up-refused', triggerSource: 'PreSignUp_SignUp', sentence: '(an address) is taken.' },
  ]);
});

test('a failure without an error is logged by its event and fields alone', () => {
  log.error('sessions-not-ended', { user: 'user' });
  expect(logged.lines).toStrictEqual([{ event: 'sessions-not-ended', user: 'user' }]);
});

test.each([
  ['an error', new Error('No such customer: ada@example.com'), 'Error: No such customer: (an address)'],
  ['a thrown value that is no error', { to: 'ada@example.com' }, "{ to: '(an address)' }"],
])('%s is logged by name and message without addresses, and never as an object', (_, thrown, error) => {
  log.error('row-not-removed', { user: 'user' }, thrown);
  expect(logged.lines).toMatchObject([{ event: 'row-not-removed', user: 'user', error }]);
  expect(logged.text()).not.toContain('ada@example.com');
});

const complimentary: Partial<UserPlan> = { plan: 'plus' };
const decisions: [string, Partial<UserPlan>, { endsAt?: number } | undefined, object][] = [
  [
    'a subscription that renews',
    {},
    {},
    { from: 'free', to: 'plus', expiresAt: null, because: 'subscription-renews', subscription: 'sub_1' },
  ],
  [
    'a subscription that is scheduled to end',
    { plan: 'plus' },
    { endsAt: periodEnd },
    {
      from: 'plus',
      to: 'plus',
      expiresAt: '2026-03-01T00:00:00.000Z',
      because: 'subscription-ends',
      subscription: 'sub_1',
    },
  ],
  [
    'no subscription',
    { plan: 'plus', stripe_subscription_id: 'sub_0', stripe_customer_id: 'cus_1' },
    undefined,
    { from: 'plus', to: 'free', expiresAt: null, because: 'no-active-subscription', subscription: null },
  ],
  [
    'a complimentary plan',
    complimentary,
    undefined,
    { from: 'plus', to: 'plus', expiresAt: null, because: 'complimentary', subscription: null },
  ],
  [
    'a complimentary plan that has expired',
    { ...complimentary, plan_expires_at: '2026-02-01T00:00:00.000Z' },
    undefined,
    { from: 'plus', to: 'free', expiresAt: null, because: 'complimentary-expired', subscription: null },
  ],
];

test.each(decisions)(
  'the decision about %s is one line that says why',
  async (_, row, subscription, line) => {
    const ada = adaOnFree();
    const { planTable, billing } = ada;
    planTable.put({ id: 'user', billing_customer_id: 'cus_1', version: 1, ...row });
    billing.customers.set('cus_1', 'user');
    if (subscription) billing.subscribe('cus_1', { id: 'sub_1', userId: 'user', ...subscription });
    await reconcile(ada, 'user', now, { trigger: 'GET /plan' });
    expect(logged.lines).toEqual([{ event: 'plan-decided', user: 'user', trigger: 'GET /plan', ...line }]);
  },
);

test('the decision to cancel a complimentary plan says so', () => {
  const row = { id: 'user', plan: 'plus', version: 1 } as const;
  expect(decidePlan(row, [], now, { cancelComplimentary: true }).because).toBe('complimentary-cancelled');
});
