import type Stripe from 'stripe';
import { idOf, newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { completeList } from './list.ts';
import { nextPeriodEnd } from './periods.ts';
import { taxSetting } from './tax.ts';

export interface NewSubscription {
  customer: string;
  prices: { price: Stripe.Price; quantity: number }[];
  defaultMethod: string | null;
  metadata: Stripe.Metadata;
  automaticTax: boolean;
}

/** The object of a new subscription, in its first period. Its status is set after the first payment. */
export function newSubscription(ledger: Ledger, order: NewSubscription): Stripe.Subscription {
  const now = ledger.now();
  const id = newId('sub');
  const items = order.prices.map(({ price, quantity }) => itemOf(id, price, quantity, now));
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: taxSetting(order.automaticTax),
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    currency: order.prices[0]?.price.currency ?? 'usd',
    customer: order.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: order.defaultMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: completeList(items, `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: order.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  } satisfies Stripe.Subscription;
}

export function itemOf(
  subscription: string,
  price: Stripe.Price,
  quantity: number,
  now: number,
): Stripe.SubscriptionItem {
  const interval = intervalOf(price);
  return {
    id: newId('si', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: nextPeriodEnd(now, interval, now),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: {
      id: price.id,
      object: 'plan',
      active: price.active,
      amount: price.unit_amount,
      amount_decimal: price.unit_amount_decimal,
      billing_scheme: 'per_unit',
      created: price.created,
      currency: price.currency,
      interval: interval.interval,
      interval_count: interval.interval_count,
      livemode: false,
      metadata: price.metadata,
      meter: null,
      nickname: price.nickname,
      product: idOf(price.product),
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    price,
    quantity,
    subscription,
    tax_rates: [],
  } satisfies Stripe.SubscriptionItem;
}

export function intervalOf(price: Stripe.Price): Stripe.Price.Recurring {
  if (!price.recurring) throw new Error(`The price ${price.id} doesn't recur.`);
  return price.recurring;
}
