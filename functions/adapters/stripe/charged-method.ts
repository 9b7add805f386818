import type Stripe from 'stripe';
import type { PaymentMethod } from '../../../schemas/shapes/billing.ts';

/** The fields that `chargedMethodOf` reads. */
export const PAYMENT_METHOD_EXPANSIONS = [
  'default_payment_method',
  'customer.invoice_settings.default_payment_method',
];

/**
 * The means of payment that Stripe charges. That of the subscription comes before the customer's
 * (https://docs.stripe.com/api/subscriptions/object#subscription_object-default_payment_method). Nothing here
 * makes a Source, which Stripe would also charge.
 */
export function chargedMethodOf({
  default_payment_method: own,
  customer,
}: Pick<Stripe.Subscription, 'default_payment_method' | 'customer'>): PaymentMethod | undefined {
  const isKnown = typeof customer !== 'string' && !customer.deleted;
  const method = own ?? (isKnown ? customer.invoice_settings.default_payment_method : null);
  if (method === null) return undefined;
  if (typeof method === 'string') throw new Error(`The payment method ${method} was not expanded.`);
  const { type, card } = method;
  return { type, card: card ? cardOf(card) : null };
}

const cardOf = ({ brand, last4, exp_month, exp_year, wallet }: Stripe.PaymentMethod.Card) => ({
  brand,
  last4,
  expMonth: exp_month,
  expYear: exp_year,
  wallet: wallet?.type ?? null,
});
