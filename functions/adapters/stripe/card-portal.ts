import type Stripe from 'stripe';
import { product } from '../../../schemas/product.ts';
import { hasEnded } from '../../domain/subscription.ts';
import { idOf } from './id-of.ts';

// The name of our portal configuration in Stripe. The account may have others.
const PORTAL = `${product.slug}-card`;

/**
 * Moves the card from the customer's subscriptions to the customer. Checkout stores the card on the
 * subscription, which takes precedence. Stripe's page changes the customer's card only, so a retry would go
 * on using the old card.
 */
export async function useCustomerCard(
  stripe: Stripe,
  customer: string,
  subscriptions: readonly Stripe.Subscription[],
): Promise<void> {
  for (const subscription of subscriptions) {
    const { id, default_payment_method: card } = subscription;
    if (!card || hasEnded(subscription)) continue;
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: idOf(card) } });
    await stripe.subscriptions.update(id, { default_payment_method: '' });
  }
}

/**
 * The id of a portal configuration that allows changing the card and nothing else. Creates it if there is
 * none.
 */
export async function cardPortalConfiguration(stripe: Stripe): Promise<string> {
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
