import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Billing } from '../../../functions/adapters/stripe/billing.ts';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import type { UserPlan } from '../../../schemas/rows/plan.ts';
import { PRICE } from '../../fixtures/fakes/price-of-plus.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { startStripe, type StripeStandIn } from '../../fixtures/worlds/stripe-stand-in.ts';

let world: StripeStandIn;
let billing: Billing;
let row: UserPlan;
beforeEach(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  world = await startStripe();
  billing = billingOver(async () => ({ stripe: world.stripe, webhookSecret: 'whsec_local' }), STAGE);
  const customer = await billing.createCustomer({ userId: 'ada', email: 'ada@example.com' });
  row = { id: 'ada', plan: 'plus', version: 1, stripe_customer_id: customer };
  return () => world.close();
});

const customer = (): string => String(row.stripe_customer_id);

/** The checkout of a buyer in Germany, after the payment. */
async function buy(automaticTax: boolean) {
  const returnUrl = 'http://localhost:3000/checkout/return?session_id={CHECKOUT_SESSION_ID}';
  const opened = await billing.openCheckout({
    customerId: customer(),
    userId: 'ada',
    returnUrl,
    automaticTax,
  });
  if (!opened || opened === 'other-currency') throw new Error('Stripe opened no session.');
  await world.submitCard({ client_secret: opened.clientSecret ?? null }, { country: 'DE' });
  const paid = await billing.checkout(opened.id, 'ada');
  if (!paid?.subscription) throw new Error('Nothing was bought.');
  return { ...paid, subscription: paid.subscription };
}

const taxIn = (amount: number): number => amount - Math.round(amount / 1.19);

describe('in a stage whose taxes Stripe computes', () => {
  test('a buyer pays the price that the site shows, and learns how much of it is tax', async () => {
    const { amount, price, receiptUrl } = await buy(true);
    expect({ amount, price, receiptUrl }).toEqual({
      amount: PRICE,
      price: { total: PRICE, tax: taxIn(PRICE), currency: 'usd' },
      receiptUrl: expect.stringContaining('/invoice'),
    });
    expect(await billing.invoicesOf(customer())).toMatchObject([{ amount: PRICE, tax: taxIn(PRICE) }]);
  });

  test('a duplicate is refunded with its taxes', async () => {
    const { subscription } = await buy(true);
    await billing.refundAndCancel(subscription, undefined);
    expect(await billing.invoicesOf(customer())).toMatchObject([{ amount: PRICE, refunded: PRICE }]);
  });

  test('payments after the account’s end are refunded with their taxes', async () => {
    await buy(true);
    await billing.refundSince(customer(), row, new Date(0));
    expect(await billing.invoicesOf(customer())).toMatchObject([{ amount: PRICE, refunded: PRICE }]);
  });
});

test('in a stage without taxes, neither checkout nor invoice has any', async () => {
  const { price, automaticTax } = await buy(false);
  expect({ price, automaticTax }).toEqual({
    price: { total: PRICE, tax: 0, currency: 'usd' },
    automaticTax: false,
  });
  const [invoice] = await billing.invoicesOf(customer());
  expect(invoice).not.toHaveProperty('tax');
});
