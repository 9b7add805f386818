import type { Billing } from './billing.ts';
import { cardPortalConfiguration, useCustomerCard } from './card-portal.ts';
import { activeSubscription } from '../../domain/decide-plan.ts';
import type { Connection } from './connection.ts';
import { keptId } from './kept-id.ts';
import { unlessCustomerGone, unlessMissing } from './refusals.ts';
import { SUBSCRIPTION_EXPANSION, toSubscription } from './to-subscription.ts';

type Customers = Pick<
  Billing,
  'createCustomer' | 'deleteCustomer' | 'setCustomerEmail' | 'userIdOf' | 'cardUpdateUrl'
>;

export const customers = (connection: () => Promise<Connection>): Customers => {
  const withConfiguration = keptId(cardPortalConfiguration);
  return {
    async createCustomer({ userId, email }) {
      const { stripe } = await connection();
      const customer = await stripe.customers.create({ email, metadata: { user_id: userId } });
      return customer.id;
    },

    async deleteCustomer(customerId) {
      const { stripe } = await connection();
      await unlessCustomerGone(stripe, customerId, () => stripe.customers.del(customerId));
    },

    async setCustomerEmail(customerId, email) {
      const { stripe } = await connection();
      await unlessCustomerGone(stripe, customerId, () => stripe.customers.update(customerId, { email }));
    },

    async userIdOf(customerId) {
      const { stripe } = await connection();
      const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
      return customer && !customer.deleted ? customer.metadata['user_id'] : undefined;
    },

    async cardUpdateUrl(customerId, { back, done }) {
      const { stripe } = await connection();
      return unlessCustomerGone(stripe, customerId, async () => {
        const { data } = await stripe.subscriptions.list({
          customer: customerId,
          limit: 100,
          expand: [`data.${SUBSCRIPTION_EXPANSION}`],
        });
        if (!activeSubscription(data.map(toSubscription))) return undefined;
        await useCustomerCard(stripe, customerId, data);
        const { url } = await withConfiguration(stripe, (configuration) =>
          stripe.billingPortal.sessions.create({
            customer: customerId,
            configuration,
            return_url: back,
            flow_data: {
              type: 'payment_method_update',
              after_completion: { type: 'redirect', redirect: { return_url: done } },
            },
          }),
        );
        return url;
      });
    },
  };
};
