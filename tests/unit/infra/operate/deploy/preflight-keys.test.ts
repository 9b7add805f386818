import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { findingsIn } from '../../../../../infra/operate/deploy/stripe-settings.ts';
import { taxFindings } from '../../../../../infra/operate/deploy/tax-findings.ts';
import { preflightAccount } from './preflight-account.ts';

const { findings, keys, withoutRight } = preflightAccount();

describe('taxes that Stripe is to compute', () => {
  const registration = { id: 'taxreg_1' } as Stripe.Tax.Registration;

  test.each<
    [string, Pick<Stripe.Tax.Settings, 'status' | 'status_details'>, Stripe.Tax.Registration[], string[]]
  >([
    [
      'with settings and a registration have no finding',
      { status: 'active', status_details: {} },
      [registration],
      [],
    ],
    [
      'without the business’s address are refused, since Stripe would refuse each checkout',
      { status: 'pending', status_details: { pending: { missing_fields: ['head_office'] } } },
      [registration],
      ['error: Stripe refuses each checkout, since Stripe Tax lacks settings: head_office.'],
    ],
    [
      'without a registration are warned of, since nothing is collected',
      { status: 'active', status_details: {} },
      [],
      ['warning: Stripe Tax knows no place where taxes are to be collected, so each invoice has none.'],
    ],
  ])('%s', (_, settings, registrations, expected) => {
    const found = taxFindings('production', settings, registrations);
    expect(found.map(({ kind, says }) => `${kind}: ${says}`)).toEqual(expected);
  });

  test('need their rights at Stripe only in a stage that sets them', async () => {
    for (const call of ['GET /v1/tax/settings', 'GET /v1/tax/registrations']) {
      const found = await withoutRight(call, async () => [
        await findings(),
        await findings({}, { tax: 'automatic' }),
      ]);
      expect(found.map((lines) => lines.join().includes('restricted key lacks a permission'))).toEqual([
        false,
        true,
      ]);
    }
    expect((await findings({}, { tax: 'automatic' })).join()).not.toContain('Stripe Tax');
  });
});

describe('settings of Stripe that decide charges and mails', () => {
  const renewal = 30 * 86_400;
  const announced = (days: number, api_version = '2026-10-28.endive') => ({
    created: renewal - days * 86_400,
    api_version,
    data: { object: { period_end: renewal } as Stripe.Invoice },
  });
  const mailed = { id: 'ch_1', livemode: true, receipt_number: '1-1' };
  const unread = ['lost dispute', 'other mails', 'how long before a renewal', 'last try'];

  test.each<[string, Parameters<typeof findingsIn>, string[], string[]]>([
    ['are named if nothing shows them', [undefined, undefined, undefined], [], unread],
    ['have no finding as described', [announced(15), undefined, { ...mailed, receipt_number: null }], [], []],
    ['tell of a rise too late', [announced(7), undefined, undefined], ['announces renewals 7 days'], []],
    ['render old events', [announced(15, '2024-06-20'), undefined, undefined], ['is 2024-06-20'], []],
    ['leave a subscription unpaid', [announced(15), { id: 'sub_1' }, undefined], ['leaves sub_1'], []],
    ['mail twice', [announced(15), undefined, mailed], ['receipt for ch_1'], []],
  ])('%s', (_, read, warned, named) => {
    const found = findingsIn(...read);
    const warnings = found.filter(({ kind }) => kind === 'warning');
    expect(warnings.map(({ says }) => says)).toEqual(
      warned.map((part) => expect.stringContaining(part) as string),
    );
    expect(found.at(-1)).toMatchObject({ kind: 'note' });
    for (const part of named) expect(found.at(-1)?.says).toContain(part);
  });
});

describe('keys', () => {
  test.each<[string, (stored: Record<string, object>) => void, string]>([
    [
      'that are not stored',
      (stored) => delete stored['selfsame/production/google'],
      'The secret selfsame/production/google does not exist in us-east-1.',
    ],
    [
      'that lack a field',
      (stored) => (stored['selfsame/production/github'] = { clientId: '1' }),
      'clientSecret in selfsame/production/github is missing.',
    ],
    [
      'of Stripe’s other mode',
      (stored) => (stored['selfsame/production/stripe'] = { secretKey: 'sk_live_1' }),
      'secretKey in selfsame/production/stripe has to begin with sk_test_',
    ],
    [
      'of another Stripe account than the publishable key',
      (stored) => {
        stored['selfsame/production/stripe'] = { secretKey: `rk_test_51${'B'.repeat(15)}rest` };
      },
      `is of the Stripe account or sandbox acct_1${'B'.repeat(15)}, and stripePublishableKey of acct_1${'A'.repeat(15)}`,
    ],
    [
      'that Stripe refuses',
      (stored) => (stored['selfsame/production/stripe'] = { secretKey: 'sk_test_old' }),
      'Stripe refuses the secret key',
    ],
  ])('%s are named with the command that stores them', async (_, change, says) => {
    change(keys());
    const stripePublishableKey = `pk_test_51${'A'.repeat(15)}rest` as const;
    const found = (await findings({}, { stripePublishableKey })).join('\n');
    expect(found).toContain(says);
    expect(found).toContain('npm run ops -- secrets production');
  });

  test.each([
    'GET /v1/prices',
    'GET /v1/billing_portal/configurations',
    'GET /v1/payment_method_domains',
    'GET /v1/webhook_endpoints',
    'GET /v1/charges',
  ])('that lack Stripe’s right to %s are refused before the deployment', async (call) => {
    const found = await withoutRight(call, findings);
    expect(found.join('\n')).toContain("error: Stripe's restricted key lacks a permission: The provided key");
  });

  test('of a provider that the stage leaves out are not asked for', async () => {
    delete keys()['selfsame/production/github'];
    expect((await findings({}, { providers: ['google'] })).join('\n')).not.toContain('github');
  });
});
