import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { stripeEventSubject, handledEventTypes } from '../../../functions/domain/stripe-event-subject.ts';

const event = (type: string, object: Record<string, unknown>) => ({
  type,
  created: 1_700_000_000,
  data: { object },
});

test('an event names its customer, expanded or not', () => {
  expect(
    stripeEventSubject(event('invoice.paid', { object: 'invoice', customer: 'cus_1' }))?.customerId,
  ).toBe('cus_1');
  expect(
    stripeEventSubject(
      event('customer.subscription.updated', { object: 'subscription', customer: { id: 'cus_2' } }),
    )?.customerId,
  ).toBe('cus_2');
});

/** Objects as Stripe sends them, by the prefix of their events' types. */
const objects: Record<string, Record<string, unknown>> = {
  'checkout.session.': {
    object: 'checkout.session',
    id: 'cs_1',
    customer: 'cus_1',
    subscription: 'sub_1',
    metadata: { user_id: 'user' },
  } satisfies Partial<Stripe.Checkout.Session>,
  'customer.subscription.': {
    object: 'subscription',
    id: 'sub_1',
    customer: 'cus_1',
    metadata: { user_id: 'user' },
  } satisfies Partial<Stripe.Subscription>,
  'customer.': {
    object: 'customer',
    id: 'cus_1',
    metadata: { user_id: 'user' },
  } satisfies Partial<Stripe.Customer>,
  'invoice.': {
    object: 'invoice',
    id: 'in_1',
    customer: 'cus_1',
    metadata: {},
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { subscription: 'sub_1', metadata: { user_id: 'user' } },
    },
  } satisfies Partial<Stripe.Invoice>,
};

test.each([...handledEventTypes])('an event of the type %s names its customer and user', (type) => {
  const [, object = {}] = Object.entries(objects).find(([prefix]) => type.startsWith(prefix)) ?? [];
  expect(stripeEventSubject(event(type, object))).toMatchObject({
    type,
    customerId: 'cus_1',
    userId: 'user',
  });
});

test('the deletion of a customer names the customer and the user', () => {
  const deleted = { object: 'customer', id: 'cus_1', metadata: { user_id: 'user' } };
  expect(stripeEventSubject(event('customer.deleted', deleted))).toEqual({
    type: 'customer.deleted',
    customerId: 'cus_1',
    userId: 'user',
    renewalUpcoming: false,
    created: 1_700_000_000,
  });
});

test('an invoice names the user through its subscription', () => {
  const invoice = {
    object: 'invoice',
    customer: 'cus_1',
    metadata: {},
    parent: { subscription_details: { metadata: { user_id: 'user' } } },
  };
  expect(stripeEventSubject(event('invoice.payment_failed', invoice))?.userId).toBe('user');
});

test.each([
  { parent: null },
  { parent: { subscription_details: null } },
  { parent: { subscription_details: { metadata: null } } },
])('an invoice that names no user still names its customer (%j)', (fields) => {
  const invoice = { object: 'invoice', customer: 'cus_1', metadata: null, ...fields };
  const subject = stripeEventSubject(event('invoice.paid', invoice));
  expect(subject).toMatchObject({ customerId: 'cus_1' });
  expect(subject?.userId).toBeUndefined();
});

test.each([{}, { id: null }])('an upcoming renewal has an invoice without an id (%o)', (id) => {
  const invoice = { object: 'invoice', customer: 'cus_1', ...id };
  expect(stripeEventSubject(event('invoice.upcoming', invoice))).toMatchObject({
    customerId: 'cus_1',
    renewalUpcoming: true,
  });
});

test.each([
  ['a type that changes no plan', event('product.created', { object: 'product', customer: 'cus_1' })],
  ['an invoice without a customer', event('invoice.paid', { object: 'invoice', customer: null })],
  ['a value that is no event', { hello: 'world' }],
  ['undefined', undefined],
])('%s has no subject', (_, value) => {
  expect(stripeEventSubject(value)).toBeUndefined();
});

test('the README’s endpoint is sent exactly the events that we handle', () => {
  const named = [...readFileSync('README.md', 'utf8').matchAll(/enabled_events\[\]=([\w.]+)/g)];
  expect(new Set(named.map(([, type]) => type))).toEqual(handledEventTypes);
});
