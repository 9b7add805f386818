import { expect, test } from 'vitest';
import { mayEndPlus } from '../../../../functions/domain/may-end-plus.ts';

const event = (type: string, object: object = {}) => ({ type, data: { object } });

test.each([
  'checkout.session.async_payment_failed',
  'customer.deleted',
  'customer.subscription.deleted',
  'customer.subscription.paused',
])('%s may end Plus, whatever status its object had', (type) => {
  for (const object of [{}, { status: null }, { status: 'active' }, { status: 'canceled' }]) {
    expect(mayEndPlus(event(type, object))).toBe(true);
  }
});

test.each([
  ['active', false],
  ['trialing', false],
  ['past_due', false],
  ['unpaid', true],
  ['paused', true],
  ['canceled', true],
  [undefined, true],
])('a change of a subscription to %s may end Plus: %s', (status, expected) => {
  expect(mayEndPlus(event('customer.subscription.updated', { status }))).toBe(expected);
});

test.each([['invoice.paid'], ['customer.subscription.created']])('%s ends no Plus', (type) => {
  expect(mayEndPlus(event(type, { status: 'canceled' }))).toBe(false);
});

test('what is no event ends no Plus', () => {
  expect(mayEndPlus({ type: 'customer.deleted' })).toBe(false);
});
