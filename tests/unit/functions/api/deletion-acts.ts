import { beforeEach, expect, vi } from 'vitest';
import { handler as createCheckoutSession } from '../../../../functions/api/create-checkout-session.ts';
import { handler as deleteAccount } from '../../../../functions/api/delete-account.ts';
import { handler as getPlan } from '../../../../functions/api/plan.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { order } from '../../../fixtures/fakes/ada-on-free.ts';
import { addressDependencies } from '../../../fixtures/fakes/address-world.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { isEntitling } from '../../../../functions/domain/subscription.ts';

export const now = new Date('2026-01-20T12:00:00Z');
const aMinuteAgo = now.getTime() / 1000 - 60;
/** The dependencies of the current test. */
export let dependencies: DeletionDependencies;

/** Begins each test with `ada` on Plus, at a stopped clock. Returns what is logged. */
export function beginOnPlus() {
  stopClock(now.toISOString());
  const log = watchLog();
  beforeEach(async () => {
    // A reconciliation that loses the write retries at once.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await setUp('a user on Plus');
  });
  return log;
}

function newDependencies() {
  const parts = addressDependencies();
  const { pool } = parts;
  pool.put({ username: 'ada' });
  return { ...parts, sessionUser: pool.sessionUser, userPool: pool };
}

/** The dependencies of deleting an account, in memory. */
export type DeletionDependencies = ReturnType<typeof newDependencies>;

export const initialStates = [
  'a user on Plus',
  'a user with an open checkout',
  'a user on Free',
  'a user without a row',
] as const;
export type InitialState = (typeof initialStates)[number];

/** Begins again with the signed-in user `ada` in a state. */
export async function setUp(initialState: InitialState): Promise<DeletionDependencies> {
  dependencies = newDependencies();
  const { planTable } = dependencies;
  if (initialState === 'a user without a row') return dependencies;
  await planTable.open('ada', now, { address: 'ada@example.com' });
  if (initialState === 'a user on Free') return dependencies;
  await checkOut();
  if (initialState === 'a user on Plus') {
    await payOpenCheckouts();
    await reconcile(dependencies, 'ada', now, { trigger: 'test' });
  }
  return dependencies;
}

export const deleteAda = (parts = dependencies, authTime = aMinuteAgo) =>
  call(deleteAccount.with(parts), { user: 'ada', authTime, body: {} });
export const readAdasPlan = (parts = dependencies) =>
  call(getPlan.with(parts), { user: 'ada', authTime: aMinuteAgo });
export const checkOut = (parts = dependencies) =>
  call(createCheckoutSession.with(parts), { user: 'ada', authTime: aMinuteAgo, body: order });
/** Pays every open checkout. */
export const payOpenCheckouts = async () => {
  for (const id of dependencies.billing.checkouts.keys()) dependencies.billing.pay(id);
};
export const activeSubscriptions = () => [...dependencies.billing.subscriptions.values()].filter(isEntitling);

/** The account can no longer be billed: no active subscription, no payable checkout, no customer. */
export const expectNothingToBill = async (when = '') => {
  await payOpenCheckouts();
  expect(activeSubscriptions(), `a subscription runs ${when}`).toEqual([]);
  expect([...dependencies.billing.customers], `a customer is left ${when}`).toEqual([]);
};

export const expectGone = async (when = '') => {
  await expectNothingToBill(when);
  expect([...dependencies.pool.accounts.keys()], `the user is left ${when}`).toEqual([]);
  expect([...dependencies.planTable.rows.values()], `a row is left ${when}`).toEqual([]);
};
