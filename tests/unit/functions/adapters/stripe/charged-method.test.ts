import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { chargedMethodOf } from '../../../../../functions/adapters/stripe/charged-method.ts';

const method = (fields: object) => fields as Stripe.PaymentMethod;
const cardOf = (fields: object) =>
  method({
    type: 'card',
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, wallet: null, ...fields },
  });
const customerWith = (card: Stripe.PaymentMethod | string | null) =>
  ({ invoice_settings: { default_payment_method: card } }) as Stripe.Customer;
const visa = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040, wallet: null };

test('the payment method of the subscription comes before the customer’s', () => {
  const customer = customerWith(cardOf({ last4: '4444' }));
  const [own, customers] = [cardOf({}), null].map((default_payment_method) =>
    chargedMethodOf({ default_payment_method, customer }),
  );
  expect(own).toEqual({ type: 'card', card: visa });
  expect(customers).toEqual({ type: 'card', card: { ...visa, last4: '4444' } });
});

test('a wallet is named beside its card, and Link without one', () => {
  const customer = customerWith(null);
  const wallet = { type: 'apple_pay', dynamic_last4: '1234' };
  const ofWallet = chargedMethodOf({ default_payment_method: cardOf({ wallet }), customer });
  expect(ofWallet?.card).toEqual({ ...visa, wallet: 'apple_pay' });
  const link = method({ type: 'link', link: { email: null } });
  expect(chargedMethodOf({ default_payment_method: link, customer })).toEqual({ type: 'link', card: null });
});

test('a customer without a payment method, and a deleted one, have none', () => {
  const deleted = { id: 'cus_1', object: 'customer', deleted: true } as const;
  for (const customer of [customerWith(null), deleted]) {
    expect(chargedMethodOf({ default_payment_method: null, customer })).toBeUndefined();
  }
});

test('a payment method that was not expanded is an error', () => {
  expect(() => chargedMethodOf({ default_payment_method: 'pm_1', customer: 'cus_1' })).toThrow('pm_1');
});
