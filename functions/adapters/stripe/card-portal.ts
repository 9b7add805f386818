import type Stripe from 'stripe';
import { product } from '../../../schemas/product.ts';
import { idOf } from './id-of.ts';

// Names our portal in Stripe, of which there may be others in the account.
const PORTAL = `${product.slug}-card`;

/**
 * Makes the card that subscriptions are paid with the customer's. Checkout writes it on the subscription, where it goes before
 * the customer's; Stripe's page changes the customer's alone, and a retry would go on asking the old card.
 */
export async function payFromCustomer(stripe: Stripe, customer: string): Promise<void> {
  for await (const { id, default_payment_method: card } of stripe.subscriptions.list({
    customer,
    limit: 100,
  })) {
    if (!card) continue;
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: idOf(card) } });
    await stripe.subscriptions.update(id, { default_payment_method: '' });
  }
}

/** A portal where cards are changed and nothing else. An account has none until somebody makes one, here or in the dashboard. */
export async function portalOfCards(stripe: Stripe): Promise<string> {
  for await (const { id, metadata } of stripe.billingPortal.configurations.list({
    active: true,
    limit: 100,
  })) {
    if (metadata?.['purpose'] === PORTAL) return id;
  }
  const made = await stripe.billingPortal.configurations.create({
    features: { payment_method_update: { enabled: true } },
    metadata: { purpose: PORTAL },
  });
  return made.id;
}
