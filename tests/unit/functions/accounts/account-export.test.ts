import { AGREEMENT } from '../../../fixtures/fakes/main-offer.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { isoFromUnix } from '../../../../functions/domain/unix-time.ts';
import { handler as exportAccount } from '../../../../functions/api/export.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { ada, beginOnFree, billing, planTable, pool } from '../ada.ts';

const { now } = beginOnFree();
beforeEach(() => planTable.rows.clear());

describe('the export', () => {
  const entry = { email: 'ada@example.com', name: 'Ada', created_at: '2025-12-24T18:00:00.000Z' };
  const exportOf = () =>
    call(exportAccount.with({ ...ada, noteSession: async () => ({ apps: [], browsers: [], own: '' }) }), {
      user: 'ada',
    });

  beforeEach(() => ada.waitlist.add(entry));

  const invoice = {
    number: 'SELF-0001',
    date: '2026-01-15T00:00:00.000Z',
    amount: 500,
    currency: 'usd',
    status: 'paid',
    hosted_invoice_url: 'https://invoice.stripe.com/i/1',
    invoice_pdf: 'https://invoice.stripe.com/i/1/pdf',
  };

  test('holds everything we store about the caller, without internal fields', async () => {
    pool.of('ada').identities = [
      { provider: 'google', id: '1' },
      { provider: 'github', id: '2' },
    ];
    const endsAt = Date.UTC(2026, 1, 15) / 1000;
    const subscription = billing.subscribe('cus_ada', { endsAt, agreement: AGREEMENT });
    billing.invoices.set('cus_ada', [invoice]);
    const waiting = {
      id: 'an id',
      from: 'ada@example.com',
      to: 'ada@new.example',
      requested_at: '2026-01-19T12:00:00.000Z',
      due_at: '2026-01-26T12:00:00.000Z',
    };
    const sold = { plan: 'plus', interval: 'month', price: { amount: 500, currency: 'usd' } };
    const disconnected = [{ provider: 'google' as const, id: '666' }];
    ada.addressChanges.items.set('ada', { id: 'ada', version: 2, waiting, disconnected });
    const session = {
      user_id: 'ada',
      redirect_uri: 'https://app.example/done',
      created_at: '2026-01-10T00:00:00.000Z',
      used_at: '2026-01-19T00:00:00.000Z',
      refreshes: 4,
      expires_at: now.getTime() / 1000 + 1,
    };
    await ada.appSessions.add({ ...session, id: 'running' });
    await ada.appSessions.add({ ...session, id: 'expired', expires_at: now.getTime() / 1000 });
    await ada.appSessions.add({ ...session, user_id: 'eve', id: 'eves' });
    const browser = {
      kind: 'Firefox on Windows',
      signed_in_at: '2026-01-11T00:00:00.000Z',
      used_at: '2026-01-18T00:00:00.000Z',
    };
    const ofCognito = { session: 'id-of-cognito', expires_at: now.getTime() / 1000 + 1 };
    await ada.appSessions.browsers.add({ user_id: 'ada', id: 'browser/hash', ...browser, ...ofCognito });
    const plan = {
      id: 'ada',
      plan: 'plus' as const,
      plan_expires_at: '2026-02-15T00:00:00.000Z',
      stripe_customer_id: 'cus_ada',
      billing_customer_id: 'cus_ada',
      checkout_session_id: 'cs_1',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-15T00:00:00.000Z',
      last_sign_in_at: '2026-01-20T00:00:00.000Z',
      address: 'ada@example.com',
    };
    planTable.put({ ...plan, expiry_shard: 3, closing_until: '2026-01-02T00:00:00.000Z', version: 7 });
    expect(await exportOf()).toEqual({
      status: 200,
      body: {
        exported_at: now.toISOString(),
        account: {
          id: 'ada',
          email: entry.email,
          email_verified: true,
          name: 'Ada Lovelace',
          created_at: plan.created_at,
          providers: ['google', 'github'],
          providers_taken_off: disconnected,
          has_password: true,
        },
        address_change: waiting,
        plan,
        standing: { kind: 'ends', ...sold, on: plan.plan_expires_at, renewal: 'free', charges: [] },
        subscriptions: [
          {
            id: subscription.id,
            status: 'active',
            current_period_end: plan.plan_expires_at,
            ends_at: plan.plan_expires_at,
            agreed: { at: isoFromUnix(subscription.createdAt), ...AGREEMENT },
          },
        ],
        invoices: [invoice],
        apps: [{ address: session.redirect_uri, signed_in_at: session.created_at, used_at: session.used_at }],
        browsers: [browser],
        waitlist: entry,
      },
    });
  });

  test('has no end for a subscription that renews, and no agreement for one that support made', async () => {
    billing.subscribe('cus_ada');
    planTable.put({ id: 'ada', billing_customer_id: 'cus_ada' });
    expect((await exportOf()).body).toMatchObject({
      subscriptions: [{ status: 'active', ends_at: null, agreed: null }],
    });
  });

  test('has null for everything that we do not store', async () => {
    pool.accounts.delete('ada');
    const unknown = { email: undefined, emailVerified: false, name: undefined, password: undefined };
    const identities = [{ provider: 'github' as const, id: '1' }];
    pool.put({ username: 'github_1', sub: 'ada', identities, ...unknown });
    const account = { id: 'ada', email: null, email_verified: false, name: null, created_at: null };
    const ways = { providers: ['github'], providers_taken_off: [], has_password: false };
    const billed = { plan: null, standing: null, subscriptions: [], invoices: [] };
    const others = { address_change: null, apps: [], browsers: [], waitlist: null };
    const all = { account: { ...account, ...ways }, ...billed, ...others };
    expect((await exportOf()).body).toEqual({ exported_at: now.toISOString(), ...all });
  });

  test('has no waitlist entry for an unverified address', async () => {
    pool.of('ada').emailVerified = false;
    expect((await exportOf()).body).toMatchObject({ account: { email: 'ada@example.com' }, waitlist: null });
  });

  test('holds no other user’s data', async () => {
    planTable.put({ id: 'eve', plan: 'plus', billing_customer_id: 'cus_eve' });
    billing.subscribe('cus_eve');
    billing.invoices.set('cus_eve', [invoice]);
    planTable.put({ id: 'ada' });
    expect((await exportOf()).body).toMatchObject({ plan: { id: 'ada' }, subscriptions: [], invoices: [] });
  });

  test('fails as a whole if Stripe is unreachable', async () => {
    planTable.put({ id: 'ada', billing_customer_id: 'cus_ada' });
    billing.down = true;
    expect((await exportOf()).status).toBe(500);
  });
});
