import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readBilling } from '../../../../functions/api/billing.ts';
import { openBillingPortal } from '../../../../functions/api/billing-portal.ts';
import type { Invoice } from '../../../../schemas/shapes/invoice.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

watchLog();
let ada = adaOnFree();
let { planTable, billing } = ada;
beforeEach(() => {
  ada = adaOnFree();
  ({ planTable, billing } = ada);
});

describe('the billing response', () => {
  const ask = (user = 'ada') => call(readBilling(ada), { user });

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

  /** A complimentary plan. */
  const grantPlus = (fields = {}) =>
    planTable.put({ id: 'ada', billing_customer_id: 'cus_ada', plan: 'plus', version: 2, ...fields });
  const empty = { subscription: null, purchase: null, endedAt: null, lostAt: null, invoices: [] };

  test('has the active subscription and every invoice', async () => {
    billing.subscribe('cus_ada', { status: 'canceled' });
    const { id } = billing.subscribe('cus_ada', {
      status: 'past_due',
      endsAt: Date.UTC(2026, 1, 10) / 1000,
      amount: 400,
      nextTryAt: Date.UTC(2026, 0, 18) / 1000,
    });
    const paymentMethod = { type: 'link', card: null };
    billing.paymentMethods.set(id, paymentMethod);
    billing.invoices.set('cus_ada', [invoice]);
    expect(await ask()).toEqual({
      status: 200,
      body: {
        subscription: {
          plan: 'plus',
          interval: 'month',
          status: 'past_due',
          currentPeriodEnd: '2026-02-15T00:00:00.000Z',
          endsAt: '2026-02-10T00:00:00.000Z',
          amount: 400,
          currency: 'usd',
          nextTry: '2026-01-18T00:00:00.000Z',
          paymentDue: true,
          paused: false,
          paymentMethod,
        },
        purchase: null,
        endedAt: null,
        lostAt: null,
        invoices: [invoice],
      },
    });
  });

  test('has a resumable subscription if no other exists, so that the page can say why Plus is gone', async () => {
    billing.subscribe('cus_ada', { status: 'unpaid' });
    expect((await ask()).body['subscription']).toMatchObject({ status: 'unpaid', endsAt: null });
  });

  test('has no resumable subscription beside a complimentary plan, which does not depend on it', async () => {
    billing.subscribe('cus_ada', { status: 'unpaid' });
    grantPlus();
    expect((await ask()).body['subscription']).toBeNull();
  });

  test('says that a payment is due in the hour after a renewal, and not once it is paid', async () => {
    const { id } = billing.subscribe('cus_ada', { renewalPending: true });
    expect((await ask()).body['subscription']).toMatchObject({ status: 'active', paymentDue: true });
    billing.change(id, { renewalPending: false });
    expect((await ask()).body['subscription']).toMatchObject({ status: 'active', paymentDue: false });
  });

  test('says when Plus ended, also if the user had cancelled, and not if the purchase was never paid', async () => {
    const endedAt = Date.UTC(2026, 1, 28) / 1000;
    billing.subscribe('cus_ada', { status: 'canceled', endedAt, endsAt: endedAt });
    billing.subscribe('cus_ada', {
      status: 'incomplete_expired',
      firstPayment: 'failed',
      endedAt: endedAt + 1,
    });
    expect((await ask()).body).toMatchObject({ endedAt: '2026-02-28T00:00:00.000Z', lostAt: null });
    billing.subscribe('cus_ada');
    expect((await ask()).body['endedAt']).toBeNull();
  });

  test('is empty if every subscription has ended, nothing was ever bought, or no row exists', async () => {
    billing.subscribe('cus_ada', { status: 'canceled' });
    planTable.put({ id: 'guest', plan: 'plus' });
    for (const user of ['ada', 'guest', 'nobody']) expect((await ask(user)).body).toEqual(empty);
  });

  test('is empty for a user without a customer also while Stripe is unreachable', async () => {
    billing.down = true;
    planTable.put({ id: 'guest', plan: 'plus' });
    expect(await ask('guest')).toEqual({ status: 200, body: empty });
  });

  describe('says since when Plus is lost', () => {
    const endedAt = Date.UTC(2026, 1, 28) / 1000;
    const lost = { status: 'canceled', endedAt, endedByFailure: true };
    const lostAtOf = async () => (await ask()).body['lostAt'];

    test('if payments failed until Stripe gave up, also after attempts to buy that were never paid', async () => {
      billing.subscribe('cus_ada', lost);
      billing.subscribe('cus_ada', { status: 'incomplete', firstPayment: 'awaited' });
      billing.subscribe('cus_ada', { status: 'incomplete_expired', firstPayment: 'failed' });
      expect(await lostAtOf()).toBe('2026-02-28T00:00:00.000Z');
    });

    test.each([
      ['the user cancelled while a payment was due', { endedByFailure: false }],
      ['the end had been set before the payments failed', { endsAt: endedAt }],
      ['it was a duplicate', { duplicate: 'nothing-taken' as const }],
    ])('but not if %s', async (_, fields) => {
      billing.subscribe('cus_ada', { ...lost, ...fields });
      expect(await lostAtOf()).toBeNull();
    });

    test.each([
      ['runs', { status: 'active' }],
      ['has run and was cancelled', { status: 'canceled', endedAt }],
    ])('but not if a later subscription %s', async (_, later) => {
      billing.subscribe('cus_ada', lost);
      billing.subscribe('cus_ada', later);
      expect(await lostAtOf()).toBeNull();
    });

    test('but not if support has given Plus since', async () => {
      billing.subscribe('cus_ada', lost);
      grantPlus();
      expect(await lostAtOf()).toBeNull();
    });
  });

  describe('says what became of the latest purchase', () => {
    const purchaseOf = async () => (await ask()).body['purchase'];
    const boughtAt = expect.any(String) as string;
    const DAY = 24 * 60 * 60;
    const nowIsAfter = (seconds: number) =>
      vi.useFakeTimers({ now: (endedAt + seconds) * 1000, toFake: ['Date'] });
    const endedAt = Date.UTC(2026, 0, 20) / 1000;
    const failed = { status: 'canceled', firstPayment: 'failed', endedAt } as const;

    beforeEach(() => void nowIsAfter(DAY));
    afterEach(() => void vi.useRealTimers());

    test('if the bank processes its payment, also after a purchase that failed', async () => {
      billing.subscribe('cus_ada', failed);
      const { createdAt } = billing.subscribe('cus_ada', { firstPayment: 'awaited' });
      expect((await ask()).body).toMatchObject({
        subscription: null,
        purchase: { plan: 'plus', payment: 'processing', boughtAt: new Date(createdAt * 1000).toISOString() },
      });
    });

    test('if the bank processes the payment of what follows a complimentary plan', async () => {
      billing.subscribe('cus_ada', { firstPayment: 'awaited' });
      grantPlus({ plan_expires_at: '2026-01-31T23:59:59.999Z' });
      expect(await purchaseOf()).toEqual({ plan: 'plus', payment: 'processing', boughtAt });
    });

    test('if its payment failed, before it is cancelled and for thirty days after', async () => {
      const { id } = billing.subscribe('cus_ada', { firstPayment: 'failed' });
      expect(await purchaseOf()).toEqual({ plan: 'plus', payment: 'failed', boughtAt });
      billing.change(id, failed);
      expect(await purchaseOf()).toEqual({ plan: 'plus', payment: 'failed', boughtAt });
      nowIsAfter(30 * DAY - 1);
      expect(await purchaseOf()).toEqual({ plan: 'plus', payment: 'failed', boughtAt });
      nowIsAfter(30 * DAY);
      expect(await purchaseOf()).toBeNull();
    });

    test('if its payment failed, also after tries that were declined at once', async () => {
      billing.subscribe('cus_ada', failed);
      billing.subscribe('cus_ada', { status: 'incomplete_expired', firstPayment: 'failed' });
      billing.subscribe('cus_ada', { status: 'incomplete', firstPayment: 'awaited' });
      expect(await purchaseOf()).toEqual({ plan: 'plus', payment: 'failed', boughtAt });
    });

    test('but not if there is only a try that was declined at once', async () => {
      billing.subscribe('cus_ada', { status: 'incomplete_expired', firstPayment: 'failed' });
      expect(await purchaseOf()).toBeNull();
    });

    test.each([
      ['runs', { status: 'active' }],
      ['has run and was cancelled', { status: 'canceled', endedAt }],
    ])('but not if a later subscription %s', async (_, later) => {
      billing.subscribe('cus_ada', failed);
      billing.subscribe('cus_ada', later);
      expect(await purchaseOf()).toBeNull();
    });

    test('but not beside a subscription that runs', async () => {
      billing.subscribe('cus_ada');
      billing.subscribe('cus_ada', { firstPayment: 'awaited' });
      billing.subscribe('cus_ada', failed);
      expect(await purchaseOf()).toBeNull();
    });

    test('but not of a failure if support has given Plus since', async () => {
      billing.subscribe('cus_ada', failed);
      grantPlus();
      expect(await purchaseOf()).toBeNull();
    });

    test.each([
      ['a duplicate', { firstPayment: 'awaited', duplicate: 'found' }],
      ['a subscription that ended meanwhile', { firstPayment: 'awaited', status: 'canceled', endedAt }],
    ] as const)('but not of %s', async (_, fields) => {
      billing.subscribe('cus_ada', fields);
      expect(await purchaseOf()).toBeNull();
    });
  });

  test('is a 500 if Stripe is unreachable, not an empty list', async () => {
    billing.down = true;
    expect((await ask()).status).toBe(500);
  });
});

describe('Stripe’s customer portal', () => {
  const ask = (user = 'ada', body: unknown = { page: 'card' }) =>
    call(openBillingPortal(ada), { user, body });

  test.each(['active', 'past_due'])(
    'leads back to the dashboard, which learns of a new card, while the subscription is %s',
    async (status) => {
      billing.subscribe('cus_ada', { status });
      const { status: answered, body } = await ask();
      expect(answered).toBe(200);
      const url = new URL(String(body['url']));
      expect([url.hostname, Object.fromEntries(url.searchParams)]).toEqual([
        'billing.stripe.com',
        {
          page: 'card',
          back: 'https://selfsame.example/dashboard',
          done: 'https://selfsame.example/dashboard?card=new',
        },
      ]);
    },
  );

  test('leads back to the dashboard from the page of what invoices say', async () => {
    billing.subscribe('cus_ada');
    const { body } = await ask('ada', { page: 'invoice-details' });
    expect(Object.fromEntries(new URL(String(body['url'])).searchParams)).toEqual({
      page: 'invoice-details',
      back: 'https://selfsame.example/dashboard',
      done: 'https://selfsame.example/dashboard',
    });
  });

  test.each(['unpaid', 'canceled', 'incomplete', 'paused'])(
    'is refused if the subscription is %s, since a new card would not make it active',
    async (status) => {
      billing.subscribe('cus_ada', { status });
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
