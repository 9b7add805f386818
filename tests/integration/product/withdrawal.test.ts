import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { withdraw } from '../../../functions/plans/withdraw.ts';
import { PRICE } from '../../fixtures/fakes/price-of-plus.ts';
import { type BillingWorld, startBillingWorld, type User } from '../../fixtures/worlds/billing-world.ts';
import { DAY } from '../../fixtures/worlds/stripe-stand-in.ts';
import { memoryPlans, memoryTasks } from '../../fixtures/fakes/memory-adapters.ts';

/** Withdrawals at Stripe. tests/unit/functions/api/end-contract.test.ts has who may withdraw. */

let world: BillingWorld;
let ada: User;

beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const position = { from: new Date('2030-01-15T12:00:00Z') };
  const cursor = { read: async () => position, move: async () => {} };
  world = await startBillingWorld(undefined, {
    stores: { plans: memoryPlans(), tasks: memoryTasks(), cursor },
    inProcess: true,
  });
  ada = await world.signUp();
  await world.buy(ada);
  await decide();
});
afterEach(() => world.close());

/** As after a webhook. */
const decide = () => reconcile(world.dependencies, ada.id, new Date(), { trigger: 'test' });
const withdrawNow = async () => {
  const row = await world.rowOf(ada);
  if (!row) throw new Error('There is no row.');
  await withdraw(world.dependencies, row, new Date(), 'test');
};
const state = async () => {
  const [subscription] = await world.subscriptionsOf(ada);
  const refunds = await world.stripe.stripe.refunds.list({ limit: 100 });
  return {
    plan: (await world.rowOf(ada))?.plan,
    status: subscription?.status,
    refunds: refunds.data.map(({ amount, reason }) => ({ amount, reason })),
  };
};
const withdrawn = {
  plan: 'free',
  status: 'canceled',
  refunds: [{ amount: PRICE, reason: 'requested_by_customer' }],
};

test('a withdrawal ends Plus at once and refunds it to the cent, once, and the user can buy again', async () => {
  await world.advance(13 * DAY);
  await withdrawNow();
  expect(await state()).toEqual(withdrawn);
  await expect(withdrawNow()).rejects.toMatchObject({ code: 'withdrawal-over' });
  await decide();
  expect(await state()).toEqual(withdrawn);
  await world.buy(ada);
  await decide();
  expect((await world.rowOf(ada))?.plan).toBe('plus');
});

test.each(['refunds', 'subscriptions'] as const)(
  'a withdrawal that Stripe stops at its %s is finished by the next decision',
  async (resource) => {
    const { stripe } = world.stripe;
    const call =
      resource === 'refunds' ? vi.spyOn(stripe.refunds, 'create') : vi.spyOn(stripe.subscriptions, 'cancel');
    call.mockRejectedValueOnce(new Error('no answer'));
    await expect(withdrawNow()).rejects.toThrow('no answer');
    await decide();
    expect(await state()).toEqual(withdrawn);
  },
);
