import type Stripe from 'stripe';
import { decimal } from './catalogue.ts';
import { idOf, newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { productName } from './line-items.ts';
import { completeList } from './list.ts';
import { money } from './money.ts';
import { locationOf, noTax, taxState, taxWithin } from './tax.ts';

// Fields of features that the stand-in doesn't have: discounts, shipping, credit notes and others.
const unusedFields = {
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatically_finalizes_at: null,
  custom_fields: null,
  customer_account: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  on_behalf_of: null,
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
} satisfies Partial<Stripe.Invoice>;

/** The customer who pays. Undefined if deleted. */
function payerOf(ledger: Ledger, subscription: Stripe.Subscription): Stripe.Customer | undefined {
  const customer = ledger.customers.get(idOf(subscription.customer));
  return customer?.deleted ? undefined : customer;
}

/** The draft invoice of a subscription's current period. `since` is the end of the period before it. */
export function draftOf(
  ledger: Ledger,
  id: string,
  subscription: Stripe.Subscription,
  billingReason: 'subscription_create' | 'subscription_cycle' | 'upcoming',
  since: number,
): Stripe.Invoice {
  const now = ledger.now();
  const payer = payerOf(ledger, subscription);
  const { enabled: hasTax } = subscription.automatic_tax;
  const location = locationOf(ledger, payer);
  const isTaxed = hasTax && location.country !== null;
  const taxesOf = (amount: number) => (isTaxed ? [taxWithin(amount, location)] : []);
  const lines = subscription.items.data.map((item) => {
    const line = lineOf(ledger, id, subscription, item);
    return { ...line, taxes: taxesOf(line.amount) };
  });
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const taxes = taxesOf(total);
  const withoutTax = total - taxes.reduce((sum, { amount }) => sum + amount, 0);
  const [item] = subscription.items.data;
  return {
    ...unusedFields,
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Selfsame',
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, ...(hasTax ? taxState(location) : noTax) },
    billing_reason: billingReason,
    collection_method: 'charge_automatically',
    created: now,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_address: payer?.address ?? null,
    customer_email: payer?.email ?? null,
    customer_name: payer?.name ?? null,
    customer_phone: payer?.phone ?? null,
    customer_tax_ids: location.taxId ? [location.taxId] : [],
    effective_at: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    lines: completeList(lines, `/v1/invoices/${id}/lines`),
    metadata: {},
    next_payment_attempt: null,
    number: null,
    webhooks_delivered_at: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    // An invoice's own period is the previous period. Its lines have the period that is paid for.
    period_end: item?.current_period_start ?? now,
    period_start: since,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: withoutTax,
    total,
    total_excluding_tax: withoutTax,
    total_taxes: taxes,
  } satisfies Stripe.Invoice;
}

function lineOf(
  ledger: Ledger,
  invoice: string,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
): Stripe.InvoiceLineItem {
  const quantity = item.quantity ?? 1;
  const unit = item.price.unit_amount ?? 0;
  const name = productName(ledger, item.price) ?? 'Subscription';
  return {
    id: newId('il'),
    object: 'line_item',
    amount: unit * quantity,
    currency: item.price.currency,
    description: `${quantity} × ${name} (at ${money(unit, item.price.currency)} / ${item.price.recurring?.interval ?? 'month'})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: idOf(item.price.product) },
      type: 'price_details',
      unit_amount_decimal: decimal(unit),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription: subscription.id,
    subtotal: unit * quantity,
    taxes: [],
  } satisfies Stripe.InvoiceLineItem;
}
