import type { Billing } from './billing.ts';
import { cardPortalConfiguration, useCustomerCard } from './card-portal.ts';
import type { Connection } from './connection.ts';
import { unlessMissing } from './refusals.ts';

type Customers = Pick<Billing, 'createCustomer' | 'deleteCustomer' | 'userIdOf' | 'cardUpdateUrl'>;

export const customers = (connection: () => Promise<Connection>): Customers => ({
  async createCustomer({ userId, email }) {
    const { stripe } = await connection();
    const customer = await stripe.customers.create({ email, metadata: { user_id: userId } });
    return customer.id;
  },

  async deleteCustomer(customerId) {
    const { stripe } = await connection();
    await unlessMissing(() => stripe.customers.del(customerId));
  },

  async userIdOf(customerId) {
    const { stripe } = await connection();
    const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
    return customer && !customer.deleted ? customer.metadata['user_id'] : undefined;
  },

  async cardUpdateUrl(customerId, returnUrl) {
    const { stripe } = await connection();
    return unlessMissing(async () => {
      await useCustomerCard(stripe, customerId);
      const { url } = await stripe.billingPortal.sessions.create({
        customer: customerId,
        configuration: await cardPortalConfiguration(stripe),
        return_url: returnUrl,
        flow_data: {
          type: 'payment_method_update',
          after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
        },
      });
      return url;
    });
  },
});
