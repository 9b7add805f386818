import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stripeEventSubject, handledEventTypes } from '../../../functions/domain/stripe-event-subject.ts';

const event = (type: string, object: Record<string, unknown>) => ({
  type,
  created: 1_700_000_000,
  data: { object },
});

test('an event names the customer, whether Stripe expanded it or not', () => {
  expect(
    stripeEventSubject(event('invoice.paid', { object: 'invoice', customer: 'cus_1' }))?.customerId,
  ).toBe('cus_1');
  expect(
    stripeEventSubject(
      event('customer.subscription.updated', { object: 'subscription', customer: { id: 'cus_2' } }),
    )?.customerId,
  ).toBe('cus_2');
});

test('a deleted customer is its own customer, and names its person', () => {
  const deleted = { object: 'customer', id: 'cus_1', metadata: { user_id: 'user' } };
  expect(stripeEventSubject(event('customer.deleted', deleted))).toEqual({
    type: 'customer.deleted',
    customerId: 'cus_1',
    userId: 'user',
    renewalUpcoming: false,
    created: 1_700_000_000,
  });
});

test('an invoice names its person through its subscription', () => {
  const invoice = {
    object: 'invoice',
    customer: 'cus_1',
    metadata: {},
    parent: { subscription_details: { metadata: { user_id: 'user' } } },
  };
  expect(stripeEventSubject(event('invoice.payment_failed', invoice))?.userId).toBe('user');
});

test.each([{}, { id: null }])('a renewal that is ahead is told by an invoice without an id (%o)', (id) => {
  const invoice = { object: 'invoice', customer: 'cus_1', ...id };
  expect(stripeEventSubject(event('invoice.upcoming', invoice))).toMatchObject({
    customerId: 'cus_1',
    renewalUpcoming: true,
  });
});

test.each([
  ['a type that changes no plan', event('product.created', { object: 'product', customer: 'cus_1' })],
  ['an invoice without a customer', event('invoice.paid', { object: 'invoice', customer: null })],
  ['something that is no event', { hello: 'world' }],
  ['nothing', undefined],
])('%s is no hint', (_, value) => {
  expect(stripeEventSubject(value)).toBeUndefined();
});

test('the README tells Stripe to send exactly the events we look at', () => {
  const named = [...readFileSync('README.md', 'utf8').matchAll(/enabled_events\[\]=([\w.]+)/g)];
  expect(new Set(named.map(([, type]) => type))).toEqual(handledEventTypes);
});
