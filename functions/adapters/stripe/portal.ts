import type Stripe from 'stripe';
import type { PortalPage } from '../../../schemas/shapes/billing.ts';
import { isOurs, markOf } from '../../domain/mark.ts';
import { hasEndedAtStripe } from './to-subscription.ts';
import { idOf } from './id-of.ts';

// The purpose that marks the configuration among our portal configurations in Stripe.
const PURPOSE = 'billing';

/** The parameters of the portal, which a deployment sets again. Plans end on our own pages. */
export const PORTAL = {
  features: {
    customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
    invoice_history: { enabled: false },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: false },
    subscription_pause: { enabled: false },
    subscription_update: { enabled: false },
  },
  login_page: { enabled: false },
} as const satisfies Stripe.BillingPortal.ConfigurationCreateParams;

/** A flow shows the page alone (https://docs.stripe.com/customer-management/portal-deep-links). */
const FLOW_OF = {
  card: 'payment_method_update',
  'invoice-details': 'customer_update',
} as const satisfies Record<PortalPage, Stripe.BillingPortal.SessionCreateParams.FlowData.Type>;

/**
 * Moves the card from the customer's subscriptions, where Checkout stores it and it takes precedence, to the
 * customer. Stripe's page changes only the customer's card, so a retry would keep using the old one.
 */
export async function useCustomerCard(
  stripe: Stripe,
  customer: string,
  subscriptions: readonly Stripe.Subscription[],
): Promise<void> {
  for (const subscription of subscriptions) {
    const { id, default_payment_method: card } = subscription;
    if (!card || hasEndedAtStripe(subscription)) continue;
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: idOf(card) } });
    // An empty value unsets the card, although Stripe's types allow only text (its library for Java has it).
    await stripe.subscriptions.update(id, { default_payment_method: '' });
  }
}

/** The id of the stage's portal configuration. Creates the configuration if there is none. */
export async function portalConfiguration(stripe: Stripe, stage: string): Promise<string> {
  const listed = stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  for await (const { id, metadata } of listed) {
    if (isOurs(metadata, stage) && metadata?.['purpose'] === PURPOSE) return id;
  }
  const mark = { ...markOf(stage), purpose: PURPOSE };
  return (await stripe.billingPortal.configurations.create({ ...PORTAL, metadata: mark })).id;
}

export interface PortalVisit {
  page: PortalPage;
  back: string;
  done: string;
}

export const portalSession = (
  stripe: Stripe,
  configuration: string,
  customer: string,
  { page, back, done }: PortalVisit,
): Promise<Stripe.BillingPortal.Session> =>
  stripe.billingPortal.sessions.create({
    customer,
    configuration,
    return_url: back,
    flow_data: {
      type: FLOW_OF[page],
      after_completion: { type: 'redirect', redirect: { return_url: done } },
    },
  });
