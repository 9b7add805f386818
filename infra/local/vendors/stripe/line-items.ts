import type Stripe from 'stripe';
import { idOf } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { completeList, type ListAnswer } from './list.ts';

export function lineItems(ledger: Ledger, sessionId: string): ListAnswer<Stripe.LineItem> {
  const items = ledger.orders.get(sessionId)?.items ?? [];
  return completeList(
    items.map(({ id, price: priceId, quantity }) => {
      const price = ledger.prices.get(priceId);
      const amount = (price?.unit_amount ?? 0) * quantity;
      return {
        id,
        object: 'item',
        adjustable_quantity: null,
        amount_discount: 0,
        amount_subtotal: amount,
        amount_tax: 0,
        amount_total: amount,
        currency: price?.currency ?? 'usd',
        description: price ? productName(ledger, price) : null,
        metadata: {},
        price: price ?? null,
        quantity,
      } satisfies Stripe.LineItem;
    }),
    `/v1/checkout/sessions/${sessionId}/line_items`,
  );
}

export const productName = (ledger: Ledger, price: Stripe.Price): string | null =>
  ledger.products.get(idOf(price.product))?.name ?? null;
