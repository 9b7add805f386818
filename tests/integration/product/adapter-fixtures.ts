import { mainOffer } from '../../../schemas/product/offers.ts';
import type { Stripe } from 'stripe';
import type { Billing } from '../../../functions/adapters/stripe/stripe-billing.ts';
import type { Subscription } from '../../../functions/domain/subscription.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { billingInMemory, type MemoryFixtures } from '../../fixtures/worlds/billing-world.ts';

interface Session {
  id: string;
  clientSecret: string;
}

/** Ada, and the calls of the adapter to Stripe in her name. No webhook arrives. */
export type Ada = MemoryFixtures['ada'] & {
  adapter: Billing;
  /** The id of her customer. She has a row without a plan. */
  cus: string;
  stored: () => Promise<UserPlan>;
  /** Opens a session. Sessions that are open at once can all be paid. */
  openSession: (automaticTax?: boolean) => Promise<Session>;
  /** Pays a session as its page does, a second later. */
  pay: (session: Session, form?: { number?: string; country?: string }) => Promise<Subscription>;
  /** Opens a session and pays it. Resolves with the subscription's id. */
  subscribe: (number?: string) => Promise<string>;
  /** Her subscriptions, as the adapter reads them. */
  found: () => Promise<Subscription[]>;
  /** A subscription as Stripe has it. */
  atStripe: (subscription: string) => Promise<Stripe.Subscription>;
};

export const PAST_DUE_CARD = '4000 0000 0000 0341';

/** For a test's `base.extend`. */
export const adapterFixtures = {
  ...billingInMemory({ inProcess: true }),
  ada: async (
    { world, stripe, memory: { planTable } }: Omit<MemoryFixtures, 'ada'>,
    use: (ada: Ada) => Promise<void>,
  ) => {
    const user = await world.signUp();
    const { billing: adapter } = world.dependencies;
    const cus = await adapter.createCustomer({ userId: user.id, email: user.email });
    planTable.put({ id: user.id, billing_customer_id: cus, version: 1 });
    const stored = async () => (await user.row())!;
    const openSession = async (automaticTax = false) => {
      const returnUrl = 'http://localhost:3000/checkout/return?session_id={CHECKOUT_SESSION_ID}';
      const opened = await adapter.createSession({
        offer: mainOffer,
        customerId: cus,
        userId: user.id,
        returnUrl,
        automaticTax,
      });
      if (!opened || opened === 'other-currency') throw new Error('Stripe opened no session.');
      return { ...opened, clientSecret: String(opened.clientSecret) };
    };
    const pay: Ada['pay'] = async ({ id, clientSecret }, form = {}) => {
      // Payments of the same second have no order.
      await world.advance(1_000);
      await world.stripe.submitCard({ client_secret: clientSecret }, form);
      return (await adapter.checkout(id))!.subscription!;
    };
    await use({
      ...user,
      world,
      stripe,
      pass: world.pass,
      adapter,
      cus,
      stored,
      openSession,
      pay,
      subscribe: async (number = '4242 4242 4242 4242') => (await pay(await openSession(), { number })).id,
      found: async () => adapter.subscriptionsOf(cus, await stored()),
      atStripe: (id) => stripe.subscriptions.retrieve(id),
    });
  },
};
