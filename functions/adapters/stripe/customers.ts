import type { Billing } from './billing.ts';
import { portalConfiguration, portalSession, useCustomerCard } from './portal.ts';
import { activeSubscription } from '../../domain/decide-plan.ts';
import { markOf, type Owner, ownerIn, RELEASED_MARK } from '../../domain/mark.ts';
import { customerIdOf } from '../../domain/plan.ts';
import { log } from '../../runtime/log.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import type { Connection } from './connection.ts';
import { cachedId } from './cached-id.ts';
import { unlessCustomerGone, unlessMissing } from './refusals.ts';
import { isOwn, ownSubscriptions, SUBSCRIPTION_EXPANSION } from './to-subscription.ts';

type Customers = Pick<
  Billing,
  'createCustomer' | 'deleteCustomer' | 'setCustomerEmail' | 'ownerOf' | 'portalUrl'
>;

export const customers = (connection: () => Promise<Connection>, stage: string): Customers => {
  const withConfiguration = cachedId((stripe) => portalConfiguration(stripe, stage));
  return {
    async createCustomer({ userId, email }) {
      const { stripe } = await connection();
      const customer = await stripe.customers.create({ email, metadata: markOf(stage, userId) });
      return customer.id;
    },

    async deleteCustomer(customerId, row) {
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

    async setCustomerEmail(customerId, email) {
      const { stripe } = await connection();
      await unlessCustomerGone(stripe, customerId, () => stripe.customers.update(customerId, { email }));
    },

    async ownerOf(customerId) {
      const { stripe } = await connection();
      const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
      return customer && !customer.deleted ? ownerIn(customer.metadata, stage) : undefined;
    },

    async portalUrl(customerId, visit) {
      const { stripe } = await connection();
      return unlessCustomerGone(stripe, customerId, async () => {
        const { data } = await stripe.subscriptions.list({
          customer: customerId,
          limit: 100,
          expand: [`data.${SUBSCRIPTION_EXPANSION}`],
        });
        if (!activeSubscription(ownSubscriptions(data, stage))) return undefined;
        if (visit.page === 'card') {
          const ours = data.filter((subscription) => isOwn(subscription, stage));
          await useCustomerCard(stripe, customerId, ours);
        }
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
