import { AGREEMENT } from '../../../fixtures/fakes/main-offer.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { changePassword } from '../../../../functions/api/change-password.ts';
import { isoFromUnix } from '../../../../functions/domain/unix-time.ts';
import { exportAccount } from '../../../../functions/api/export.ts';
import { Refusal } from '../../../../functions/runtime/refusal.ts';
import type { WaitlistEntry } from '../../../../schemas/rows/waitlist.ts';
import { adaOnFree } from '../../../fixtures/fakes/ada-on-free.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
const log = watchLog();
let ada = adaOnFree();
let { planTable, billing, pool, mail, notices } = ada;
beforeEach(() => {
  ada = adaOnFree();
  ({ planTable, billing, pool, mail, notices } = ada);
  planTable.rows.clear();
});

describe('changing the password', () => {
  const change = (body: unknown) =>
    call(changePassword(ada), { user: 'ada', authTime: Math.floor(Date.now() / 1000), body });
  const passwords = { currentPassword: 'correct horse', newPassword: 'battery staple' };

  test('stores the new password, then ends every session, and tells the user both by mail', async () => {
    expect(await change(passwords)).toEqual({ status: 200, body: { success: true, sessionsEnded: true } });
    expect(pool.of('ada')).toMatchObject({
      password: 'battery staple',
      sessionsEnded: ['battery staple'],
    });
    expect(mail.sent[0]?.email.text).toContain('Every other session was signed out.');
    expect(mail.sent).toMatchObject([
      { to: 'ada@example.com', email: { subject: 'Your Selfsame password was changed' } },
    ]);
  });

  test('is mailed once, however often it happens within a minute, also where it is refused', async () => {
    planTable.put({ id: 'ada' });
    for (let times = 0; times < 30; times += 1) {
      vi.setSystemTime(now.getTime() + times * 2_000);
      const newPassword = `battery staple ${times}`;
      await change({ currentPassword: 'a guess', newPassword });
      expect((await change({ currentPassword: pool.of('ada').password, newPassword })).status).toBe(200);
    }
    expect(mail.sent).toHaveLength(1);
  });

  test('is mailed again five minutes later: it may be a thief’s', async () => {
    await change(passwords);
    vi.setSystemTime(now.getTime() + 5 * 60_000);
    await change({ currentPassword: passwords.newPassword, newPassword: 'thief staple' });
    expect(mail.sent).toHaveLength(2);
  });

  test('is mailed if it cannot be read when the last mail was sent', async () => {
    vi.spyOn(notices, 'claim').mockRejectedValue(new Error('The table is away.'));
    expect((await change(passwords)).status).toBe(200);
    expect(mail.sent).toHaveLength(1);
    expect(log.text()).toContain('mail-not-limited');
  });

  test('succeeds if ending the sessions fails, and neither response nor mail says that they ended', async () => {
    vi.spyOn(ada.moments, 'takeBack').mockRejectedValueOnce(new Error('The table is away.'));
    expect(await change(passwords)).toEqual({ status: 200, body: { success: true, sessionsEnded: false } });
    expect(pool.of('ada').password).toBe('battery staple');
    expect(mail.sent).toHaveLength(1);
    expect(mail.sent[0]?.email.text).not.toContain('Every other session');
    expect(log.text()).toContain('sessions-not-ended');
  });

  test('succeeds if the mail cannot be sent, which is logged without the address', async () => {
    mail.down = true;
    expect((await change(passwords)).status).toBe(200);
    expect(log.text()).toContain('mail-not-sent');
    expect(log.text()).not.toContain('ada@example.com');
  });

  test('sends no mail and ends no session if Cognito refuses the password', async () => {
    vi.spyOn(pool.ownPassword, 'change').mockRejectedValueOnce(new Refusal('wrong-password'));
    expect(await change(passwords)).toMatchObject(refused(403, 'wrong-password'));
    expect(mail.sent).toEqual([]);
    expect(pool.of('ada').sessionsEnded).toEqual([]);
  });

  test.each([
    [{ currentPassword: 'correct horse' }],
    [{ ...passwords, newPassword: '' }],
    [{ ...passwords, newPassword: 'a'.repeat(257) }],
    [{ ...passwords, currentPassword: 'a'.repeat(257) }],
    [{ ...passwords, userId: 'eve' }],
    [{ ...passwords, newPassword: ['battery staple'] }],
  ])('refuses a malformed request without asking Cognito (%#)', async (body) => {
    expect(await change(body)).toMatchObject(refused(400, 'bad-request'));
    expect(pool.of('ada').password).toBe('correct horse');
  });

  test('logs neither password, whatever the outcome', async () => {
    await change(passwords);
    await change(passwords);
    await change({ ...passwords, unknown: true });
    vi.spyOn(pool.ownPassword, 'change').mockRejectedValueOnce(new Error('Cognito is out of reach.'));
    await change(passwords);
    expect(log.lines.length).toBeGreaterThan(2);
    expect(log.text()).not.toMatch(/correct horse|battery staple/);
  });
});

describe('the export', () => {
  const entries = new Map<string, WaitlistEntry>();
  const waitlist = { entryOf: async (email: string) => entries.get(email) };
  const exportOf = () =>
    call(
      exportAccount({
        ...ada,
        waitlist: { ...ada.waitlist, ...waitlist },
        noteSession: async () => ({ apps: [], browsers: [], own: '' }),
      }),
      { user: 'ada' },
    );

  beforeEach(() => {
    entries.clear();
    entries.set('ada@example.com', {
      email: 'ada@example.com',
      name: 'Ada',
      created_at: '2025-12-24T18:00:00.000Z',
    });
  });

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
    const subscription = billing.subscribe('cus_ada', {
      endsAt: Date.UTC(2026, 1, 15) / 1000,
      agreement: AGREEMENT,
    });
    billing.invoices.set('cus_ada', [invoice]);
    ada.addressChanges.items.set('ada', {
      id: 'ada',
      version: 2,
      waiting: {
        id: 'an id',
        from: 'ada@example.com',
        to: 'ada@new.example',
        requested_at: '2026-01-19T12:00:00.000Z',
        due_at: '2026-01-26T12:00:00.000Z',
      },
      disconnected: [{ provider: 'google', id: '666' }],
    });
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
    await ada.appSessions.browsers.add({
      user_id: 'ada',
      id: 'browser/hash',
      kind: 'Firefox on Windows',
      session: 'id-of-cognito',
      signed_in_at: '2026-01-11T00:00:00.000Z',
      used_at: '2026-01-18T00:00:00.000Z',
      expires_at: now.getTime() / 1000 + 1,
    });
    planTable.put({
      id: 'ada',
      plan: 'plus',
      plan_expires_at: '2026-02-15T00:00:00.000Z',
      expiry_shard: 3,
      stripe_customer_id: 'cus_ada',
      billing_customer_id: 'cus_ada',
      checkout_session_id: 'cs_1',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-15T00:00:00.000Z',
      last_sign_in_at: '2026-01-20T00:00:00.000Z',
      closing_until: '2026-01-02T00:00:00.000Z',
      version: 7,
    });
    expect(await exportOf()).toEqual({
      status: 200,
      body: {
        exported_at: now.toISOString(),
        account: {
          id: 'ada',
          email: 'ada@example.com',
          email_verified: true,
          name: 'Ada Lovelace',
          created_at: '2026-01-01T00:00:00.000Z',
          providers: ['google', 'github'],
          providers_taken_off: [{ provider: 'google', id: '666' }],
          has_password: true,
        },
        address_change: {
          id: 'an id',
          from: 'ada@example.com',
          to: 'ada@new.example',
          requested_at: '2026-01-19T12:00:00.000Z',
          due_at: '2026-01-26T12:00:00.000Z',
        },
        plan: {
          id: 'ada',
          plan: 'plus',
          plan_expires_at: '2026-02-15T00:00:00.000Z',
          stripe_customer_id: 'cus_ada',
          billing_customer_id: 'cus_ada',
          checkout_session_id: 'cs_1',
          created_at: '2026-01-01T00:00:00.000Z',
          updated_at: '2026-01-15T00:00:00.000Z',
          last_sign_in_at: '2026-01-20T00:00:00.000Z',
          address: 'ada@example.com',
        },
        standing: {
          kind: 'ends',
          plan: 'plus',
          interval: 'month',
          price: { amount: 500, currency: 'usd' },
          on: '2026-02-15T00:00:00.000Z',
          renewal: 'free',
          charges: [],
        },
        subscriptions: [
          {
            id: subscription.id,
            status: 'active',
            current_period_end: '2026-02-15T00:00:00.000Z',
            ends_at: '2026-02-15T00:00:00.000Z',
            agreed: { at: isoFromUnix(subscription.createdAt), ...AGREEMENT },
          },
        ],
        invoices: [invoice],
        apps: [
          {
            address: 'https://app.example/done',
            signed_in_at: '2026-01-10T00:00:00.000Z',
            used_at: '2026-01-19T00:00:00.000Z',
          },
        ],
        browsers: [
          {
            kind: 'Firefox on Windows',
            signed_in_at: '2026-01-11T00:00:00.000Z',
            used_at: '2026-01-18T00:00:00.000Z',
          },
        ],
        waitlist: { email: 'ada@example.com', name: 'Ada', created_at: '2025-12-24T18:00:00.000Z' },
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
    pool.put({
      username: 'github_1',
      sub: 'ada',
      email: undefined,
      emailVerified: false,
      name: undefined,
      identities: [{ provider: 'github', id: '1' }],
      password: undefined,
    });
    expect((await exportOf()).body).toEqual({
      exported_at: now.toISOString(),
      account: {
        id: 'ada',
        email: null,
        email_verified: false,
        name: null,
        created_at: null,
        providers: ['github'],
        providers_taken_off: [],
        has_password: false,
      },
      address_change: null,
      plan: null,
      standing: null,
      subscriptions: [],
      invoices: [],
      apps: [],
      browsers: [],
      waitlist: null,
    });
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
