import { expect, type MockInstance, test as base, vi } from 'vitest';
import { withdraw } from '../../../functions/plans/withdraw.ts';
import { PRICE } from '../../fixtures/fakes/main-offer.ts';
import {
  billingInMemory,
  type BillingWorld,
  type MemoryFixtures,
  type User,
} from '../../fixtures/worlds/billing-world.ts';
import { DAY } from '../../fixtures/worlds/stripe-stand-in.ts';

/** Withdrawals at Stripe. tests/unit/functions/api/end-contract.test.ts has who may withdraw. */

const test = base.extend<MemoryFixtures>(billingInMemory({ inProcess: true }));

async function withdrawNow({ dependencies }: BillingWorld, ada: User): Promise<void> {
  const row = await ada.row();
  if (!row) throw new Error('There is no row.');
  await withdraw(dependencies, row, new Date(), 'test');
}
async function expectWithdrawn({ stripe: { stripe } }: BillingWorld, ada: User): Promise<void> {
  expect([await ada.planName(), (await ada.subscription()).status]).toEqual(['free', 'canceled']);
  const { data: refunds } = await stripe.refunds.list();
  expect(refunds).toMatchObject([{ amount: PRICE, reason: 'requested_by_customer' }]);
}

test('a withdrawal ends Plus at once and refunds it to the cent, once, and the user can buy again', async ({
  world,
  ada,
}) => {
  await ada.buyPlus();
  await world.advance(13 * DAY);
  await withdrawNow(world, ada);
  await expectWithdrawn(world, ada);
  await withdrawNow(world, ada);
  await ada.decide();
  await expectWithdrawn(world, ada);
  await ada.buyPlus();
  expect(await ada.planName()).toBe('plus');
});

test.for([
  ['refunds', 'create'],
  ['subscriptions', 'cancel'],
] as const)(
  'a withdrawal that Stripe stops at its %s is finished by the next decision',
  async ([resource, method], { world, ada, stripe }) => {
    await ada.buyPlus();
    const refused = vi.spyOn(stripe[resource], method as never) as unknown as MockInstance;
    refused.mockRejectedValueOnce(new Error('no answer'));
    await expect(withdrawNow(world, ada)).rejects.toThrow('no answer');
    await ada.decide();
    await expectWithdrawn(world, ada);
  },
);
