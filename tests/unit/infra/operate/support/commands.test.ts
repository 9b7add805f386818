import { describe, expect, test, vi } from 'vitest';
import { decidePlan } from '../../../../../functions/domain/decide-plan.ts';
import type { SupportedAccount } from '../../../../../infra/operate/support/accounts.ts';
import type { Change } from '../../../../../infra/operate/support/findings.ts';
import type { AuditLine } from '../../../../../infra/operate/support/audit.ts';
import { whyNotGranted } from '../../../../../infra/operate/support/commands/grant.ts';
import {
  describeRuns,
  describeSubscription,
  describeTask,
  explainPlan,
} from '../../../../../infra/operate/support/explain-plan.ts';
import { findAccount } from '../../../../../infra/operate/support/find-account.ts';
import { doOnRecord } from '../../../../../infra/operate/support/on-record.ts';
import { printable } from '../../../../../infra/operate/deploy/sentence-of.ts';
import { plans } from '../../../../../schemas/product/offers.ts';
import { UserPlan } from '../../../../../schemas/rows/plan.ts';
import { CANCELED, MemoryBilling } from '../../../../fixtures/fakes/memory-billing.ts';

const now = new Date('2026-01-20T12:00:00.000Z');
const END = '2026-03-31T23:59:59.999Z';
const CUSTOMER = { stripe_customer_id: 'cus_1', billing_customer_id: 'cus_1' };
const rowOf = (fields: Partial<UserPlan>): UserPlan => UserPlan.parse({ id: 'ada', plan: 'free', ...fields });
const subscription = (fields = {}) =>
  new MemoryBilling().subscribe('cus_1', { id: 'sub_1', userId: 'ada', ...fields });

const FREE = `Pages and mails say: “You're on Free. You have ${plans.free.features[0]}.”`;

describe('why', () => {
  const explain = (row: Partial<UserPlan>, ...subscriptions: ReturnType<typeof subscription>[]) =>
    explainPlan(rowOf(row), subscriptions, now);

  test('says that a subscription renews', () => {
    const row = { plan: 'plus' as const, stripe_subscription_id: 'sub_1', ...CUSTOMER };
    expect(explain({ ...row, updated_at: now.toISOString() }, subscription())).toEqual([
      'The row says Plus, without an end, decided on January 20, 2026 at 12:00 UTC.',
      'The log calls the decision subscription-renews (sub_1).',
      "Pages and mails say: “You're on Plus. Next charge on February 15, 2026.”",
    ]);
  });

  test('says that a row differs from Stripe, and which command fixes it', () => {
    const row = { plan: 'plus' as const, stripe_subscription_id: 'sub_1', ...CUSTOMER };
    expect(explain(row, subscription({ state: CANCELED }))).toEqual([
      'The row says Plus, without an end.',
      'The log calls the decision no-active-subscription (cus_1).',
      FREE,
      'The row differs from what it should be: Free. The command reconcile writes it.',
    ]);
  });

  test('tells a complimentary plan and its end', () => {
    expect(explain({ plan: 'plus', plan_expires_at: END })).toEqual([
      'The row says Plus without payment until March 31, 2026 at 23:59 UTC.',
      'The log calls the decision complimentary (no customer at Stripe).',
      "Pages and mails say: “You're on Plus until March 31, 2026. You won't be charged again.”",
    ]);
  });

  test('tells a user who never bought when the account is due to be warned', () => {
    expect(explain({ idle_due_at: '2026-12-01T00:00:00.000Z' })).toEqual([
      'The row says Free.',
      'The log calls the decision no-active-subscription (no customer at Stripe).',
      FREE,
      'If nobody signs in, the next mail or the deletion is due on December 1, 2026 at 00:00 UTC. 0 warnings were sent.',
    ]);
  });

  test.each([
    [{}, 'gives Plus, renews on February 15, 2026 at 00:00 UTC'],
    [
      { state: { kind: 'past-due', nextTryAt: Date.UTC(2026, 0, 25) / 1000 } as const },
      'gives Plus, renews on February 15, 2026 at 00:00 UTC, and a payment is due',
    ],
    [{ ended: 'duplicate', refund: 'done' }, 'gives nothing, duplicate, refund done'],
    [
      { state: { kind: 'unpaid' } as const },
      'sub_1 (unpaid, since January 15, 2026 at 00:00 UTC) gives nothing',
    ],
    [{ state: CANCELED, ended: 'unpaid' }, 'gives nothing, unpaid'],
  ])('describes the subscription %j', (fields, text) => {
    expect(describeSubscription(subscription(fields))).toContain(text);
  });

  test('describes a task that was given up', () => {
    const at = now.toISOString();
    const task = { work: 'end', customer_id: 'cus_1', since: at, due: at, left: 1, tries: 336 } as const;
    expect(describeTask({ ...task, failure: 'Error: No.', given_up: true })).toBe(
      'end, left on January 20, 2026 at 12:00 UTC and tried 336 times. It is not tried any more. The last error: Error: No.',
    );
  });

  test('tells what support did, and a run whose end is not on record', () => {
    const at = now.toISOString();
    const who = 'arn:aws:iam::1:user/eve';
    const line = { id: 'ada', at, time: at, who, action: 'refund', detail: '$5.00 of ch_1', reason: 'asked' };
    const said = 'January 20, 2026 at 12:00 UTC: refund ($5.00 of ch_1) by arn:aws:iam::1:user/eve';
    expect(
      describeRuns([
        { ...line, run: '2', state: 'begun' },
        { ...line, run: '1', state: 'failed', failure: 'StripeCardError' },
        { ...line, run: '1', state: 'begun' },
      ]),
    ).toEqual([`${said}, begun. Reason: asked`, `${said}, failed: StripeCardError. Reason: asked`]);
  });
});

const supported = (fields: Partial<SupportedAccount>): SupportedAccount => ({
  sub: 'ada',
  username: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada',
  status: 'CONFIRMED',
  enabled: true,
  createdAt: now,
  providers: [],
  hasPassword: true,
  ...fields,
});

describe('the account of a command', () => {
  const find = (user: string, ...accounts: SupportedAccount[]) =>
    findAccount({ withAddress: async () => accounts, withSub: async () => accounts[0] }, user);

  test('is found by an address that it has proved, and by its sub in any case', async () => {
    const unproved = supported({ emailVerified: false });
    await expect(find('ada@example.com', supported({}))).resolves.toMatchObject({ sub: 'ada' });
    await expect(find('ada', unproved)).resolves.toBe(unproved);
    await expect(find('ada@example.com', unproved)).rejects.toThrow(
      'The account with the address ada@example.com has not proved that it owns it. Name it by its sub: ada.',
    );
  });

  test('is not chosen among several', async () => {
    const google = supported({ sub: 'eve', emailVerified: false, providers: ['google'] });
    await expect(find('ada@example.com', supported({}), google)).rejects.toThrow(
      'ada@example.com has 2 accounts. Name one by its sub: ada (password); eve (Google, address not verified).',
    );
  });
});

describe('the record of a change', () => {
  const record = (refused: AuditLine['state'], run: Change['run']) =>
    doOnRecord({
      audit: {
        add: async ({ state }) => {
          if (state === refused) throw new Error('No rights.');
        },
      },
      now,
      who: 'eve',
      change: { action: 'refund', id: 'ada', detail: '', run },
      reason: 'asked',
    });

  test('comes first: without it, nothing is changed', async () => {
    const run = vi.fn(async () => ['Refunded.']);
    await expect(record('begun', run)).rejects.toThrow('No rights.');
    expect(run).not.toHaveBeenCalled();
  });

  test('is not what decides whether a change was made', async () => {
    const lines = await record('done', async () => ['Refunded.']);
    expect(lines).toEqual([
      'Refunded.',
      expect.stringMatching(/^It is done: don't repeat it\..*No rights\.$/),
    ]);
    await expect(
      record('failed', async () => {
        throw new Error('No such charge.');
      }),
    ).rejects.toThrow('No such charge.');
  });
});

test('the output holds no control sequence for a terminal', () => {
  expect(printable('Ada\u001B[2J\nEve')).toBe('Ada [2J Eve');
});

describe('grant', () => {
  const refusal = (fields: Partial<UserPlan>, until: string | undefined, ...subscriptions: never[]) => {
    const row = rowOf(fields);
    return whyNotGranted({ row, decision: decidePlan(row, subscriptions, now), until, now });
  };

  test('is possible on Free, and changes the end of a complimentary plan', () => {
    expect(refusal({}, END)).toBeUndefined();
    expect(refusal({ plan: 'plus', plan_expires_at: END }, undefined)).toBeUndefined();
    expect(whyNotGranted({ row: undefined, decision: undefined, until: END, now })).toBeUndefined();
  });

  test.each<[string, Partial<UserPlan>, string | undefined, string]>([
    ['a day that has passed', {}, '2026-01-19T23:59:59.999Z', 'that day has passed'],
    ['an account that is being deleted', { closing_until: END }, END, 'being deleted'],
    ['the same plan', { plan: 'plus', plan_expires_at: END }, END, 'that is the plan already'],
    ['a row that Stripe disagrees with', { plan: 'plus', ...CUSTOMER }, END, 'Use reconcile first'],
  ])('is refused for %s', (_, row, until, why) => {
    expect(refusal(row, until)).toContain(why);
  });

  test('is refused where a subscription would replace it at once', () => {
    const row = rowOf({ plan: 'plus', stripe_subscription_id: 'sub_1', ...CUSTOMER });
    const decision = decidePlan(row, [subscription()], now);
    expect(whyNotGranted({ row, decision, until: END, now })).toContain('sub_1 gives Plus');
  });
});
