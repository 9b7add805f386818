import { expect, test } from 'vitest';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { log } from '../../../../functions/runtime/log.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import { ada, beginOnFree, billing, planTable } from '../ada.ts';

const periodEnd = Date.parse('2026-03-01T00:00:00Z') / 1000;
const { now, log: logged } = beginOnFree('2026-02-08T12:00:00Z');

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

const ended = { plan: 'plus', stripe_subscription_id: 'sub_0', stripe_customer_id: 'cus_1' } as const;
const end = new Date(periodEnd * 1000).toISOString();

test.each<[string, Partial<UserPlan>, { endsAt?: number } | undefined, object]>([
  ['a subscription that renews', {}, {}, { from: 'free', because: 'subscription-renews' }],
  [
    'a subscription that ends',
    { plan: 'plus' },
    { endsAt: periodEnd },
    { expiresAt: end, because: 'subscription-ends' },
  ],
  ['no subscription', ended, undefined, { to: 'free', because: 'no-active-subscription' }],
])('the decision about %s is one line that says why', async (_, row, sold, line) => {
  planTable.put({ id: 'user', billing_customer_id: 'cus_1', version: 1, ...row });
  billing.customers.set('cus_1', 'user');
  if (sold) billing.subscribe('cus_1', { id: 'sub_1', userId: 'user', ...sold });
  await reconcile(ada, 'user', now, { trigger: 'GET /plan' });
  const usual = { from: 'plus', to: 'plus', expiresAt: null, subscription: sold ? 'sub_1' : null };
  const decided = { event: 'plan-decided', user: 'user', trigger: 'GET /plan', ...usual, ...line };
  expect(logged.lines).toEqual([decided]);
});
