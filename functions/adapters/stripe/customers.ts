import { portalConfiguration, portalSession, type PortalVisit, useCustomerCard } from './portal.ts';
import { activeSubscription } from '../../domain/decide-plan.ts';
import { markOf, type Owner, ownerIn, RELEASED_MARK } from '../../domain/mark.ts';
import { customerIdOf } from '../../domain/plan.ts';
import { log } from '../../runtime/log.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import type { Connection } from './connection.ts';
import { cachedId } from './cached-id.ts';
import { unlessCustomerGone, unlessMissing } from './refusals.ts';
import { isOwn, PAGE, toSubscription } from './to-subscription.ts';

export const customers = (connection: () => Promise<Connection>, stage: string) => {
  const withConfiguration = cachedId((stripe) => portalConfiguration(stripe, stage));
  return {
    async createCustomer({ userId, email }: { userId: string; email: string }) {
      const { stripe } = await connection();
      const customer = await stripe.customers.create({ email, metadata: markOf(stage, userId) });
      return customer.id;
    },

    /**
     * Deletes the customer of the row's user, which cancels its subscriptions and removes its cards. Leaves a
     * customer that isn't the user's. With a running subscription of another product, it stays but loses its
     * mark. Resolves with whether the customer is gone.
     */
    async deleteCustomer(customerId: string, row: UserPlan) {
      const { stripe } = await connection();
      const [customer, running] = await Promise.all([
        unlessMissing(() => stripe.customers.retrieve(customerId)),
        // Stripe's default status leaves out ended subscriptions.
        unlessCustomerGone(stripe, customerId, () =>
          stripe.subscriptions.list({ customer: customerId, limit: 100 }),
        ),
      ]);
      if (customer?.deleted || !running) return true;
      if (!isCustomerOf(row, customerId, ownerIn(customer?.metadata, stage))) {
        if (customer) {
          log.error('customer-not-deleted', { user: row.id, customer: customerId, because: 'not-ours' });
        }
        return !customer;
      }
      // Subscriptions beyond the first page can't be told to be ours.
      if (running.has_more || running.data.some((subscription) => !isOwn(subscription, stage))) {
        await stripe.customers.update(customerId, { metadata: RELEASED_MARK });
        log.info('customer-not-deleted', { user: row.id, customer: customerId, because: 'shared' });
        return false;
      }
      await unlessCustomerGone(stripe, customerId, () => stripe.customers.del(customerId));
      return true;
    },

    /** Does nothing if the customer doesn't exist. */
    async setCustomerEmail(customerId: string, email: string) {
      const { stripe } = await connection();
      await unlessCustomerGone(stripe, customerId, () => stripe.customers.update(customerId, { email }));
    },

    /** The owner of the customer, by its metadata. Undefined if the customer doesn't exist. */
    async ownerOf(customerId: string) {
      const { stripe } = await connection();
      const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
      return customer && !customer.deleted ? ownerIn(customer.metadata, stage) : undefined;
    },

    /** A page of Stripe's portal, which returns to `done`. Undefined without an active subscription. */
    async portalUrl(customerId: string, visit: PortalVisit) {
      const { stripe } = await connection();
      return unlessCustomerGone(stripe, customerId, async () => {
        const { data } = await stripe.subscriptions.list({ customer: customerId, ...PAGE });
        const ours = data.filter((subscription) => isOwn(subscription, stage));
        if (!activeSubscription(ours.map((each) => toSubscription(each, stage)))) return undefined;
        if (visit.page === 'card') await useCustomerCard(stripe, customerId, ours);
        const { url } = await withConfiguration(stripe, (configuration) =>
          portalSession(stripe, configuration, customerId, visit),
        );
        return url;
      });
    },
  };
};

/** The row's customer is the user's although its mark names another user, but not another stage. */
const isCustomerOf = (row: UserPlan, customerId: string, owner: Owner): boolean =>
  customerIdOf(row) === customerId
    ? owner.kind !== 'foreign'
    : owner.kind === 'ours' && owner.userId === row.id;
