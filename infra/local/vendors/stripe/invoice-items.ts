import type Stripe from 'stripe';
import { decimal } from './catalogue.ts';
import { existingCustomer } from './customers.ts';
import { flag, type Input, integer, required, text } from './fields.ts';
import { idOf, newId } from './ids.ts';
import type { Ledger } from './ledger.ts';

export const invoiceItemFields = {
  amount: required(integer),
  currency: required(text),
  customer: required(text),
  description: text,
  discountable: flag,
  subscription: text,
} as const;

/** Creates an item for the next invoice of the subscription, or of the customer if none is named. */
export function createInvoiceItem(
  ledger: Ledger,
  { amount, currency, customer, description, discountable, subscription }: Input<typeof invoiceItemFields>,
): Stripe.InvoiceItem {
  const now = ledger.now();
  const item = {
    amount,
    currency,
    customer: existingCustomer(ledger, customer).id,
    description: description ?? null,
    discountable: discountable ?? amount > 0,
    id: newId('ii'),
    object: 'invoiceitem',
    customer_account: null,
    date: now,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent:
      subscription === undefined
        ? null
        : { subscription_details: { subscription }, type: 'subscription_details' as const },
    period: { end: now, start: now },
    pricing: null,
    proration: false,
    quantity: 1,
    quantity_decimal: decimal(1),
    tax_rates: [],
    test_clock: null,
  } satisfies Stripe.InvoiceItem;
  ledger.invoiceItems.put(item.id, item);
  ledger.emit('invoiceitem.created', item);
  return item;
}

/** The items that the next invoice of a subscription takes, newest first. */
export const pendingItems = (ledger: Ledger, subscription: Stripe.Subscription): Stripe.InvoiceItem[] =>
  ledger.invoiceItems
    .list({ customer: idOf(subscription.customer) })
    .filter(({ invoice, parent, currency }) => {
      const { subscription: id = subscription.id } = parent?.subscription_details ?? {};
      return invoice === null && id === subscription.id && currency === subscription.currency;
    })
    .toReversed();

/** Marks the items of a new invoice as invoiced. */
export function takeItems(ledger: Ledger, { id, lines }: Stripe.Invoice): void {
  for (const { parent } of lines.data) {
    const item = ledger.invoiceItems.get(parent?.invoice_item_details?.invoice_item ?? '');
    if (item) ledger.invoiceItems.put(item.id, { ...item, invoice: id });
  }
}
