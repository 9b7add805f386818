import type Stripe from 'stripe';
import { orderedPrices } from './catalogue.ts';
import { redeem } from './coupons.ts';
import { invalid, missingReference, parameterMissing } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { itemOf } from './new-subscription.ts';

/**
 * The items with other prices, quantities or discounts. "Switching prices does not normally change the
 * billing date or generate an immediate charge unless the billing interval is changed": https://docs.stripe.com/api/subscriptions/update
 */
export function repriced(
  ledger: Ledger,
  { id: subscription, items }: Stripe.Subscription,
  ordered: {
    id: string;
    price?: string;
    quantity?: number;
    discounts?: { coupon: string }[] | null;
  }[],
): Stripe.SubscriptionItem[] {
  for (const { id } of ordered) {
    if (!items.data.some((item) => item.id === id))
      throw missingReference('subscription_item', id, 'items[0][id]');
  }
  return items.data.map((item) => {
    const change = ordered.find(({ id }) => id === item.id);
    if (!change) return item;
    const changed: Stripe.SubscriptionItem = {
      ...item,
      quantity: change.quantity ?? item.quantity ?? 1,
      ...(change.discounts !== undefined && {
        discounts: (change.discounts ?? []).map(
          ({ coupon }) =>
            redeem(ledger, coupon, { subscription_item: item.id, subscription }, 'items[0][discounts]').id,
        ),
      }),
    };
    if (change.price === undefined) return changed;
    const [next] = orderedPrices(ledger, [{ price: change.price }], 'items');
    if (!next) throw parameterMissing('items');
    const { price } = next;
    if (price.currency !== item.price.currency) {
      throw invalid('All prices on a subscription must have the same currency.', 'items');
    }
    if (price.recurring?.interval !== item.price.recurring?.interval) {
      throw invalid('The stand-in changes no billing interval.', 'items');
    }
    const { plan } = itemOf(subscription, price, item.quantity ?? 1, item.created);
    return { ...changed, plan, price };
  });
}
