import type Stripe from 'stripe';
import { decimal } from './catalogue.ts';
import { activeDiscounts, discounted, sharedDiscounts, totalDiscounts } from './coupons.ts';
import { idOf, newId } from './ids.ts';
import { pendingItems } from './invoice-items.ts';
import type { Ledger } from './ledger.ts';
import { productName } from './line-items.ts';
import { completeList } from './list.ts';
import { money } from './money.ts';
import { locationOf, noTax, taxState, taxWithin } from './tax.ts';

// The least that Stripe charges where it isn't 50 of the smallest unit
// (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
const leastCharge: Readonly<Record<string, number>> = {
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  mxn: 1_000,
};

// Fields of features that the stand-in doesn't have: shipping, credit notes and others.
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
  statement_descriptor: null,
  test_clock: null,
  total_pretax_credit_amounts: [],
} satisfies Partial<Stripe.Invoice>;

/** The customer who pays. Undefined if deleted. */
function payerOf(ledger: Ledger, subscription: Stripe.Subscription): Stripe.Customer | undefined {
  const customer = ledger.customers.get(idOf(subscription.customer));
  return customer?.deleted ? undefined : customer;
}

/**
 * The part of a total that is due. A credit is a negative balance. `ending`: the balance afterwards. Where
 * less than the least charge is due, "the amount owed moved to the invoice balance as a debit"
 * (https://docs.stripe.com/billing/customer/balance).
 */
export function balanced({ total, currency }: Pick<Stripe.Invoice, 'total' | 'currency'>, balance: number) {
  const owed = total + balance;
  const due = owed < (leastCharge[currency] ?? 50) ? 0 : owed;
  return { due: { amount_due: due, amount_remaining: due, starting_balance: balance }, ending: owed - due };
}

/** The draft of the current period. `since`: the end of the period before it; `now`: its creation. */
export function draftOf(
  ledger: Ledger,
  id: string,
  subscription: Stripe.Subscription,
  billingReason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming',
  since: number,
  now = ledger.now(),
): Stripe.Invoice {
  const payer = payerOf(ledger, subscription);
  const { enabled: hasTax } = subscription.automatic_tax;
  const location = locationOf(ledger, payer);
  const isTaxed = hasTax && location.country !== null;
  const taxesOf = (amount: number) => (isTaxed ? [taxWithin(amount, location)] : []);
  const shared = sharedDiscounts(ledger, subscription, payer, now);
  const lines = linesOf(ledger, id, subscription, { shared, now }).map((line) => ({
    ...line,
    taxes: taxesOf(netOf(line)),
  }));
  const total = lines.reduce((sum, line) => sum + netOf(line), 0);
  const ofInvoice = new Set(shared.map(({ id: discount }) => discount));
  const discounts = totalDiscounts(lines);
  const subtotal = discounts
    .filter(({ discount }) => ofInvoice.has(discount))
    .reduce((sum, { amount }) => sum + amount, total);
  const taxes = taxesOf(total);
  const withoutTax = total - taxes.reduce((sum, { amount }) => sum + amount, 0);
  const [item] = subscription.items.data;
  return {
    ...unusedFields,
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Selfsame',
    ...balanced({ total, currency: subscription.currency }, payer?.balance ?? 0).due,
    amount_paid: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, ...(hasTax ? taxState(location) : noTax) },
    billing_reason: billingReason,
    collection_method: subscription.collection_method,
    created: now,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_address: payer?.address ?? null,
    customer_email: payer?.email ?? null,
    customer_name: payer?.name ?? null,
    customer_phone: payer?.phone ?? null,
    customer_tax_ids: location.taxId ? [location.taxId] : [],
    discounts: [...ofInvoice],
    due_date: dueDateOf(subscription, now),
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
    subtotal,
    subtotal_excluding_tax: subtotal - (total - withoutTax),
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: withoutTax,
    total_taxes: taxes,
  } satisfies Stripe.Invoice;
}

const netOf = ({ amount, discount_amounts: discounts }: Stripe.InvoiceLineItem): number =>
  (discounts ?? []).reduce((left, discount) => left - discount.amount, amount);

/** The date of an invoice by mail, in Unix seconds. Null if Stripe charges the card. */
const dueDateOf = (
  { collection_method: method, days_until_due: days }: Stripe.Subscription,
  created: number,
): number | null => (method === 'send_invoice' ? created + (days ?? 30) * 86_400 : null);

/** The lines of the items that waited for an invoice, and of the subscription's own. */
const linesOf = (
  ledger: Ledger,
  invoice: string,
  subscription: Stripe.Subscription,
  { shared, now }: { shared: Stripe.Discount[]; now: number },
): Stripe.InvoiceLineItem[] =>
  discounted(
    ledger,
    [
      ...pendingItems(ledger, subscription).map((item) => ({ line: lineOfItem(invoice, item), own: [] })),
      ...subscription.items.data.map((item) => ({
        line: lineOf(ledger, invoice, subscription, item),
        own: activeDiscounts(ledger, item.discounts, now),
      })),
    ],
    shared,
  );

const lineOfItem = (invoice: string, item: Stripe.InvoiceItem): Stripe.InvoiceLineItem => {
  const subscription = item.parent?.subscription_details?.subscription ?? null;
  return {
    id: newId('il'),
    object: 'line_item',
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    discount_amounts: [],
    discountable: item.discountable,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: null,
        subscription,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: item.period,
    pretax_credit_amounts: [],
    pricing: null,
    quantity: 1,
    quantity_decimal: decimal(1),
    subscription,
    subtotal: item.amount,
    taxes: [],
  } satisfies Stripe.InvoiceLineItem;
};

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
