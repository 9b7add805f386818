import type Stripe from 'stripe';
import { isOurs, markOf } from '../../domain/mark.ts';
import { hasEnded } from '../../domain/subscription.ts';
import { idOf } from './id-of.ts';

// The purpose that marks the card configuration among our portal configurations in Stripe.
const PURPOSE = 'card';

/** The parameters of the page, which changes the card and nothing else. A deployment sets them again. */
export const CARD_PAGE = {
  features: {
    customer_update: { enabled: false },
    invoice_history: { enabled: false },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: false },
    subscription_pause: { enabled: false },
    subscription_update: { enabled: false },
  },
  login_page: { enabled: false },
} as const satisfies Stripe.BillingPortal.ConfigurationCreateParams;

/**
 * Moves the card from the customer's subscriptions to the customer. Checkout stores the card on the
 * subscription, which takes precedence. Stripe's page changes only the customer's card, so a retry would keep
 * using the old one.
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
    // An empty value unsets the card, although Stripe's types allow only text here. Stripe's library for Java
    // takes an empty value too (`SubscriptionUpdateParams`).
    await stripe.subscriptions.update(id, { default_payment_method: '' });
  }
}

/** The id of the stage's portal configuration for new cards. Creates the configuration if there is none. */
export async function cardPortalConfiguration(stripe: Stripe, stage: string): Promise<string> {
  for await (const { id, metadata } of stripe.billingPortal.configurations.list({
    active: true,
    limit: 100,
  })) {
    if (isOurs(metadata, stage) && metadata?.['purpose'] === PURPOSE) return id;
  }
  const made = await stripe.billingPortal.configurations.create({
    ...CARD_PAGE,
    metadata: { ...markOf(stage), purpose: PURPOSE },
  });
  return made.id;
}
