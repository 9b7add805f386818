import { AGREEMENT } from '../../fixtures/fakes/main-offer.ts';
import type { Stripe } from 'stripe';
import { expect, test as base } from 'vitest';
import { idOf } from '../../../functions/adapters/stripe/id-of.ts';
import { agreementMetadata } from '../../../functions/domain/agreement.ts';
import { markOf } from '../../../functions/domain/mark.ts';
import { mainOffer } from '../../../schemas/product/offers.ts';
import { lookupKeyOf } from '../../../schemas/product/stripe-prices.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import {
  billingInMemory,
  type BillingWorld,
  type MemoryFixtures,
  type User,
} from '../../fixtures/worlds/billing-world.ts';
import { DAY, HOUR } from '../../fixtures/worlds/stripe-stand-in.ts';

const test = base.extend<MemoryFixtures>(billingInMemory());
const portal = { page: 'card', back: 'https://a.b', done: 'https://a.b' } as const;

/** A world in which Ada is on Plus. */
interface Shared {
  world: BillingWorld;
  stripe: Stripe;
  ada: User;
  customer: string;
  /** Her subscription to Plus. */
  ours: string;
}
type Given = (shared: Shared) => Promise<Stripe.Subscription | undefined>;

/** A customer with this metadata, who pays for another product. */
const strangerWith =
  (metadata: Stripe.Metadata, sold = metadata): Given =>
  async ({ world, stripe }) => {
    const { id } = await stripe.customers.create({ email: 'stranger@example.com', metadata });
    return world.sell(id, { metadata: sold });
  };
/** Ada's customer pays for another product, too. */
const alsoPays: Given = ({ world, customer }) => world.sell(customer, { metadata: { user_id: '42' } });
const remarked =
  (markWith: (ada: User) => Stripe.Metadata): Given =>
  async ({ stripe, ada, ours, customer }) => {
    await stripe.subscriptions.update(ours, { metadata: markWith(ada) });
    await stripe.customers.update(customer, { metadata: markWith(ada) });
    return undefined;
  };
const ofAnotherStage = remarked(({ id }) => markOf('production', id));

/** Past the next renewal, with the hourly schedules around it. */
const renews = async ({ world }: Shared): Promise<void> => {
  for (const time of [25 * DAY, HOUR, HOUR, HOUR, HOUR, 7 * DAY]) {
    await world.advance(time);
    await world.catchUp();
    await world.runTasks();
  }
};
const leavesThePool = async (shared: Shared): Promise<void> => {
  await shared.world.dependencies.pool.remove(shared.ada.id);
  await renews(shared);
};
const isDeleted = async (shared: Shared): Promise<void> => {
  // A deletion refunds what was paid in its second.
  await shared.world.advance(1_000);
  expect((await shared.ada.deleteAccount()).status).toBe(200);
  // Nothing of ours acts on the customer any more.
  await renews(shared);
};
const ends = async ({ world, stripe, ours }: Shared): Promise<void> => {
  await stripe.subscriptions.cancel(ours);
  await world.stripe.service.allDelivered();
};

interface Case {
  given: Given;
  when: (shared: Shared) => Promise<void>;
  /** The status of Ada's subscription, and what becomes of her customer. */
  ours: string;
  customer: 'kept' | 'deleted';
  /** The status of the other product's subscription, which a case may not have. */
  theirs?: string;
}
const kept = { ours: 'active', customer: 'kept', theirs: 'active' } as const;
const gone = { ours: 'canceled', customer: 'deleted' } as const;

test.for<[string, Case]>([
  [
    'a stranger whose metadata names a user of another product is left alone',
    { given: strangerWith({ user_id: '42' }), when: renews, ...kept },
  ],
  [
    'a stranger with the mark of another stage is left alone',
    { given: strangerWith(markOf('staging', 'somebody')), when: renews, ...kept },
  ],
  [
    'a stranger with copied metadata of ours is left alone when that user leaves',
    {
      given: async (shared) => strangerWith(markOf(STAGE, shared.ada.id), {})(shared),
      when: leavesThePool,
      ...gone,
      theirs: 'active',
    },
  ],
  [
    'the end of our subscription leaves that of another product',
    { given: alsoPays, when: ends, ours: 'canceled', customer: 'kept', theirs: 'active' },
  ],
  [
    'a deletion leaves the subscription to another product and its customer',
    { given: alsoPays, when: isDeleted, ours: 'canceled', customer: 'kept', theirs: 'active' },
  ],
  [
    'a customer in whose metadata another product writes its user_id is no orphan',
    {
      given: async ({ stripe, customer }) => {
        await stripe.customers.update(customer, { metadata: { user_id: '42' } });
        return undefined;
      },
      when: renews,
      ours: 'active',
      customer: 'kept',
    },
  ],
  [
    'a customer of another stage is left alone, even where the row names it',
    { given: ofAnotherStage, when: isDeleted, ours: 'active', customer: 'kept' },
  ],
])('%s', async ([, { given, when, ...expected }], { world, stripe, ada, memory }) => {
  const { subscription, customer } = await ada.buyPlus();
  const shared: Shared = { world, stripe, ada, customer, ours: subscription.id };
  const theirs = await given(shared);
  await when(shared);
  const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status;
  const { deleted } = await stripe.customers.retrieve(customer);
  expect({
    ours: await statusOf(subscription.id),
    customer: deleted ? 'deleted' : 'kept',
    ...(theirs && { theirs: await statusOf(theirs.id) }),
  }).toEqual(expected);
  const theirCustomer = theirs && (await stripe.customers.retrieve(idOf(theirs.customer)));
  expect(theirCustomer?.deleted).toBeUndefined();
  const plans = [...memory.planTable.rows.values()].map(({ id, plan }) => [id, plan]);
  const left =
    when === isDeleted || when === leavesThePool
      ? []
      : [[ada.id, expected.ours === 'active' ? 'plus' : 'free']];
  expect(plans).toEqual(left);
  expect(await world.refunds()).toEqual([]);
});

test('a released customer is no longer ours, and another stage’s keeps its mark', async ({ ada }) => {
  const { world, stripe } = ada;
  const { customer } = await ada.buyPlus();
  await world.sell(customer);
  await ada.deleteAccount();
  expect(await world.dependencies.billing.ownerOf(customer)).toEqual({ kind: 'foreign' });
  const eve = await world.signUp();
  const bought = await eve.buyPlus();
  const shared: Shared = { world, stripe, ada: eve, customer: bought.customer, ours: bought.subscription.id };
  await ofAnotherStage(shared);
  await eve.deleteAccount();
  expect(await stripe.customers.retrieve(bought.customer)).toMatchObject({
    metadata: markOf('production', eve.id),
  });
});

test('nothing is refunded that was paid for another product, and its card stays', async ({ ada }) => {
  const { world, stripe } = ada;
  const { customer } = await ada.buyPlus();
  const theirs = await world.sell(customer);
  const row = (await ada.row())!;
  const { billing } = world.dependencies;
  await billing.portalUrl(customer, portal);
  await billing.refundSince(customer, row, new Date('2030-01-01T00:00:00Z'));
  const { data } = await stripe.invoices.list({ subscription: theirs.id });
  expect(data.map(({ status }) => status)).toEqual(['paid']);
  expect(await world.refunds()).toHaveLength(1);
  const { default_payment_method: card } = await stripe.subscriptions.retrieve(theirs.id);
  expect(card).toBe(theirs.default_payment_method);
});

test('a subscription of support’s with our price gives Plus, and ends with the account', async ({ ada }) => {
  const { world, stripe } = ada;
  const { subscription, customer } = await ada.buyPlus();
  await stripe.subscriptions.cancel(subscription.id);
  const made = await world.sell(customer, { price: String(subscription.items.data[0]?.price.id) });
  expect((await ada.plan()).body).toMatchObject({ plan: 'plus', stripeSubscriptionId: made.id });
  await ada.deleteAccount();
  expect((await stripe.subscriptions.retrieve(made.id)).status).toBe('canceled');
  expect(await stripe.customers.retrieve(customer)).toHaveProperty('deleted');
});

test('everything that is made at Stripe carries the mark of the stage', async ({ world, stripe, ada }) => {
  const { subscription, customer } = await ada.buyPlus();
  const { billing } = world.dependencies;
  const row = (await ada.row())!;
  await billing.portalUrl(customer, portal);
  await billing.refundSince(customer, row, new Date('2030-01-01T00:00:00Z'));
  const [price] = (await stripe.prices.list({ expand: ['data.product'] })).data;
  const [configuration] = (await stripe.billingPortal.configurations.list()).data;
  const [session] = (await stripe.checkout.sessions.list({ customer })).data;
  const [refund] = (await stripe.refunds.list()).data;
  const mine = markOf(STAGE, ada.id);
  const bought = { ...mine, ...agreementMetadata(AGREEMENT) };
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ email: ada.email, metadata: mine });
  expect(subscription.metadata).toEqual(bought);
  expect(session?.metadata).toEqual(bought);
  expect(session?.return_url).toBe(
    'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
  );
  expect(refund?.metadata).toEqual(mine);
  for (const made of [price, price?.product as Stripe.Product, configuration]) {
    expect(made?.metadata).toMatchObject(markOf(STAGE));
  }
});

test('the nightly comparison reads our running subscriptions of this stage alone', async ({ ada }) => {
  const { world, stripe } = ada;
  const { customer } = await ada.buyPlus();
  await world.sell(customer);
  await world.sell(customer, { metadata: markOf('another-stage', ada.id) });
  const bea = await world.signUp();
  await stripe.subscriptions.cancel((await bea.buyPlus()).subscription.id);
  const users: unknown[] = [];
  for await (const { userId } of world.dependencies.billing.running()) users.push(userId);
  expect(users).toEqual([ada.id]);
});

test('another customer’s checkout changes no row of an account with its address', async ({ ada }) => {
  const { world, stripe } = ada;
  await ada.buyPlus();
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKeyOf(STAGE, mainOffer)] })).data;
  const stranger = await stripe.customers.create({ email: ada.email });
  const other = await stripe.checkout.sessions.create({
    customer: stranger.id,
    mode: 'subscription',
    ui_mode: 'embedded_page',
    line_items: [{ price: String(price?.id), quantity: 1 }],
    return_url: 'https://selfsame.example/checkout/return?session_id={CHECKOUT_SESSION_ID}',
  });
  const before = await ada.row();

  // Our API opens no session without a user.
  expect((await world.person('', ada.email).openCheckout()).status).toBe(401);
  // A session that was opened in Stripe is paid with the address of a user on Plus.
  await world.stripe.submitCard(other);
  await world.stripe.service.allDelivered();

  expect(await ada.row()).toMatchObject({
    billing_customer_id: before?.billing_customer_id,
    stripe_subscription_id: before?.stripe_subscription_id,
  });
  expect(await ada.subscriptions()).toHaveLength(1);
  // The account does not see that session.
  expect((await ada.sessionStatus(other.id)).status).toBe(404);
});

test('deleting the customer in Stripe ends Plus, and the next checkout makes another', async ({ ada }) => {
  const { world, stripe } = ada;
  const { customer } = await ada.buyPlus();
  await stripe.customers.del(customer);
  await world.stripe.service.allDelivered();
  expect(await ada.planName()).toBe('free');
  expect((await ada.buyPlus()).customer).not.toBe(customer);
});
