import type Stripe from 'stripe';
import { cancellationAfter, cancellationFields } from '../cancellation.ts';
import { orderedItems, orderedPrices } from '../catalogue.ts';
import { redeem } from '../coupons.ts';
import { checkCustomerFilter, existingCustomer } from '../customers.ts';
import { invalid, missing, parameterMissing } from '../errors.ts';
import {
  between,
  updatedMetadata,
  nullable,
  flag,
  integer,
  list,
  metadata,
  object,
  oneOf,
  required,
  text,
} from '../fields.ts';
import { idOf } from '../ids.ts';
import type { Ledger } from '../ledger.ts';
import { page, pagination } from '../list.ts';
import { pauseSubscription, resumeSubscription } from '../pauses.ts';
import { usablePaymentMethod } from '../payment-methods.ts';
import { repriced } from '../repriced-items.ts';
import { inPath, route, type Route } from '../route.ts';
import { endSubscription, hasEnded, saveSubscription, startSubscription } from '../subscriptions.ts';
import { taxSetting } from '../tax.ts';

const cancellationDetails = object({ comment: nullable(text) });

/** Coupons, which replace the discounts. An empty text removes them. */
const discounts = nullable(list(object({ coupon: required(text) })));

const changes = {
  automatic_tax: object({ enabled: required(flag) }),
  ...cancellationFields,
  cancellation_details: cancellationDetails,
  default_payment_method: nullable(text),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  days_until_due: between(0, 365),
  discounts,
  items: list(object({ discounts, id: required(text), price: text, quantity: between(1, 999_999) })),
  metadata,
  // The product moves no subscription in the middle of a period.
  proration_behavior: oneOf('none'),
  pause_collection: nullable(
    object({
      behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')),
      resumes_at: integer,
    }),
  ),
} as const;

const statuses = [
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const;

export const subscriptionRoutes: Route[] = [
  route(
    'POST',
    '/v1/subscriptions',
    {
      customer: required(text),
      default_payment_method: text,
      items: orderedItems,
      metadata,
      payment_behavior: oneOf('allow_incomplete'),
    },
    ({ ledger, input }) => {
      const customer = existingCustomer(ledger, input.customer);
      if (!input.items) throw parameterMissing('items');
      const chosen = input.default_payment_method;
      if (chosen !== undefined) usablePaymentMethod(ledger, chosen, customer.id, 'default_payment_method');
      else if (customer.invoice_settings.default_payment_method === null) {
        throw invalid(
          'This customer has no attached payment source or default payment method. Please consider adding a ' +
            'default payment method.',
          undefined,
          'resource_missing',
        );
      }
      const { subscription } = startSubscription(
        ledger,
        {
          customer: customer.id,
          prices: orderedPrices(ledger, input.items, 'items'),
          defaultMethod: chosen ?? null,
          metadata: updatedMetadata({}, input.metadata),
          automaticTax: false,
        },
        'off-session',
      );
      return subscription;
    },
  ),

  route(
    'GET',
    '/v1/subscriptions',
    { ...pagination, customer: text, status: oneOf(...statuses) },
    ({ ledger, input }) => {
      checkCustomerFilter(ledger, input.customer);
      return page(
        ledger.subscriptions
          .list({ customer: input.customer })
          .filter((subscription) => hasStatus(subscription, input.status)),
        input,
        '/v1/subscriptions',
      );
    },
  ),

  route('GET', '/v1/subscriptions/:id', {}, ({ ledger, id }) => subscriptionInPath(ledger, id)),

  route('POST', '/v1/subscriptions/:id', changes, ({ ledger, id, input }) => {
    const before = subscriptionInPath(ledger, id);
    checkChangeable(before, Object.keys(input));
    if (before.schedule && (input.cancel_at !== undefined || input.cancel_at_period_end !== undefined)) {
      throw invalid(
        `The subscription is managed by the subscription schedule \`${idOf(before.schedule)}\`, and updating any ` +
          'cancelation behavior directly is not allowed. Please update the schedule instead.',
      );
    }
    if (input.default_payment_method) {
      usablePaymentMethod(
        ledger,
        input.default_payment_method,
        idOf(before.customer),
        'default_payment_method',
      );
    }
    if (input.items?.some(({ price, quantity }) => price !== undefined || quantity !== undefined)) {
      if (input.proration_behavior === undefined) throw parameterMissing('proration_behavior');
    }
    const { collection_method: method = before.collection_method } = input;
    if (method === 'send_invoice' && (input.days_until_due ?? before.days_until_due) === null) {
      throw parameterMissing('days_until_due');
    }
    const changed = cancellationAfter(ledger, before, input);
    const subscription: Stripe.Subscription = {
      ...before,
      ...changed,
      ...(input.automatic_tax && { automatic_tax: taxSetting(input.automatic_tax.enabled) }),
      ...(input.default_payment_method !== undefined && {
        default_payment_method: input.default_payment_method,
      }),
      collection_method: method,
      days_until_due: method === 'send_invoice' ? (input.days_until_due ?? before.days_until_due) : null,
      ...(input.discounts !== undefined && {
        discounts: (input.discounts ?? []).map(
          ({ coupon }) => redeem(ledger, coupon, { subscription: id }, 'discounts[0][coupon]').id,
        ),
      }),
      ...(input.items && { items: { ...before.items, data: repriced(ledger, before, input.items) } }),
      ...(input.pause_collection !== undefined && {
        pause_collection: input.pause_collection && { resumes_at: null, ...input.pause_collection },
      }),
      cancellation_details: {
        comment: null,
        feedback: null,
        feedback_option: null,
        reason: null,
        ...before.cancellation_details,
        ...changed.cancellation_details,
        ...input.cancellation_details,
      },
      metadata: updatedMetadata(before.metadata, input.metadata),
    };
    saveSubscription(ledger, subscription, before);
    return subscription;
  }),

  route(
    'POST',
    '/v1/subscriptions/:id/pause',
    {
      bill_for: object({
        outstanding_usage_through: object({ type: required(oneOf('none', 'now')) }),
        unused_time_from: object({ type: required(oneOf('none', 'now')) }),
      }),
      invoicing_behavior: oneOf('pending_invoice_item'),
      type: oneOf('subscription'),
    },
    ({ ledger, id, input }) =>
      pauseSubscription(
        ledger,
        subscriptionInPath(ledger, id),
        input.bill_for?.unused_time_from?.type !== 'none',
      ),
  ),

  // The old anchor would need prorations.
  route(
    'POST',
    '/v1/subscriptions/:id/resume',
    {
      billing_cycle_anchor: object({ type: required(oneOf('now')) }),
      payment_behavior: oneOf('resume_on_payment_attempt', 'resume_on_payment_success'),
    },
    ({ ledger, id, input }) =>
      resumeSubscription(
        ledger,
        subscriptionInPath(ledger, id),
        input.payment_behavior ?? 'resume_on_payment_attempt',
      ),
  ),

  route(
    'DELETE',
    '/v1/subscriptions/:id',
    { cancellation_details: cancellationDetails },
    ({ ledger, id, input }) => {
      const subscription = subscriptionInPath(ledger, id);
      // An ended subscription can be read, but not canceled again.
      if (hasEnded(subscription)) throw missing('subscription', id);
      return endSubscription(ledger, subscription, 'cancellation_requested', input.cancellation_details);
    },
  ),
];

function hasStatus(
  subscription: Stripe.Subscription,
  status: (typeof statuses)[number] | undefined,
): boolean {
  switch (status) {
    case undefined:
      return subscription.status !== 'canceled';
    case 'all':
      return true;
    case 'ended':
      return hasEnded(subscription);
    default:
      return subscription.status === status;
  }
}

const subscriptionInPath = (ledger: Ledger, id: string): Stripe.Subscription =>
  inPath(ledger.subscriptions, id, 'subscription');

/**
 * Refuses parameters that the status doesn't allow: https://docs.stripe.com/api/subscriptions/cancel for
 * `canceled`, and the reference of `status` for `incomplete`. That names `default_source`, whose successor is
 * `default_payment_method`. The documentation doesn't say which fields of `incomplete_expired` can be
 * changed; here none can.
 */
function checkChangeable({ status }: Stripe.Subscription, names: string[]): void {
  const allows = (...allowed: string[]): boolean => names.every((name) => allowed.includes(name));
  if (status === 'canceled' && !allows('cancellation_details', 'metadata')) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  }
  if (status === 'incomplete' && !allows('default_payment_method', 'metadata')) {
    throw invalid('An incomplete subscription can only update its default_payment_method and metadata.');
  }
  if (status === 'incomplete_expired') {
    throw invalid('An expired incomplete subscription can not be updated.');
  }
}
