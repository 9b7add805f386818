import { describe, expect, test, vi } from 'vitest';
import { handler as readBilling } from '../../../../functions/api/billing.ts';
import { handler as openBillingPortal } from '../../../../functions/api/billing-portal.ts';
import type { Invoice } from '../../../../schemas/shapes/invoice.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { ada, beginOnFree, billing, planTable } from '../ada.ts';

beginOnFree();

describe('the billing response', () => {
  const ask = (user = 'ada') => call(readBilling.with(ada), { user });

  const invoice: Invoice = {
    number: 'SELFSAME-0001',
    date: '2026-01-15T00:00:00.000Z',
    amount: 500,
    refunded: 500,
    currency: 'usd',
    status: 'paid',
    hosted_invoice_url: 'https://invoice.stripe.com/i/1',
    invoice_pdf: 'https://invoice.stripe.com/i/1/pdf',
  };

  const empty = { standing: { kind: 'free', endedAt: null }, paymentMethod: null, invoices: [] };

  test.each([
    ['renews', 'active', 'renews'],
    ['gives no plan', 'unpaid', 'unpaid'],
  ] as const)(
    'has the standing of a contract that %s, its means of payment and every invoice',
    async (_, of, kind) => {
      const { id } = billing.subscribe('cus_ada', { state: { kind: of } });
      const paymentMethod = { type: 'link', card: null };
      billing.paymentMethods.set(id, paymentMethod);
      billing.invoices.set('cus_ada', [invoice]);
      const body = { standing: { kind }, paymentMethod, invoices: [invoice] };
      expect(await ask()).toMatchObject({ status: 200, body });
    },
  );

  test('has the next charge as Stripe expects it', async () => {
    billing.subscribe('cus_ada');
    const money = { amount: 250, currency: 'usd' };
    vi.spyOn(billing, 'nextChargeOf').mockResolvedValue(money);
    expect((await ask()).body).toMatchObject({ standing: { charges: [{ money }] } });
  });

  test('says whether the bank is processing the payment of one of the invoices', async () => {
    billing.subscribe('cus_ada', { state: { kind: 'renewing' } });
    const payment = async () => ((await ask()).body['standing'] as { payment: string }).payment;
    expect(await payment()).toBe('soon');
    billing.invoices.set('cus_ada', [invoice, { ...invoice, processing: true }]);
    expect(await payment()).toBe('processing');
  });

  test('is empty if nothing was ever bought, or no row exists, also while Stripe is unreachable', async () => {
    billing.down = true;
    planTable.put({ id: 'guest' });
    for (const user of ['guest', 'nobody']) expect(await ask(user)).toEqual({ status: 200, body: empty });
  });

  test('is a 500 if Stripe is unreachable, not an empty list', async () => {
    billing.down = true;
    expect((await ask()).status).toBe(500);
  });
});

describe('Stripe’s customer portal', () => {
  const ask = (user = 'ada', body: unknown = { page: 'card' }) =>
    call(openBillingPortal.with(ada), { user, body });

  const dashboard = 'https://selfsame.example/dashboard';
  test.each([
    ['card', 'active', `${dashboard}?card=new`],
    ['card', 'past-due', `${dashboard}?card=new`],
    ['invoice-details', 'active', dashboard],
  ] as const)(
    'opens the page %s of a subscription that is %s, and leads back to %s',
    async (page, kind, done) => {
      billing.subscribe('cus_ada', { state: { kind } });
      const url = new URL(String((await ask('ada', { page })).body['url']));
      expect(url.hostname).toBe('billing.stripe.com');
      expect(Object.fromEntries(url.searchParams)).toEqual({ page, back: dashboard, done });
    },
  );

  test.each(['unpaid', 'expired', 'incomplete', 'paused'] as const)(
    'is refused if the subscription is %s, since a new card would not make it active',
    async (kind) => {
      billing.subscribe('cus_ada', { state: { kind } });
      expect(await ask()).toMatchObject(refused(404, 'no-active-subscription'));
    },
  );

  test('is refused without a subscription, a customer or a row, and for a deleted customer', async () => {
    planTable.put({ id: 'guest', plan: 'plus' });
    for (const user of ['ada', 'guest', 'nobody']) expect((await ask(user)).status).toBe(404);
    billing.subscribe('cus_ada');
    billing.customers.delete('cus_ada');
    expect((await ask()).status).toBe(404);
  });

  test('accepts no other page and no return address from the request', async () => {
    billing.subscribe('cus_ada');
    for (const body of [{}, { page: 'cancel' }, { page: 'card', returnUrl: 'https://evil.example' }]) {
      expect((await ask('ada', body)).status).toBe(400);
    }
  });
});
