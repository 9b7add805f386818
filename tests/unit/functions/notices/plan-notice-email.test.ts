import { describe, expect, test } from 'vitest';
import type { PlanNotice } from '../../../../functions/domain/plan-notices.ts';
import { planNoticeEmail } from '../../../../functions/notices/plan-notice-email.ts';
import type { BillingState } from '../../../../schemas/rows/billing-state.ts';

const siteUrl = 'https://selfsame.example';
const at = Date.UTC(2026, 1, 15, 23) / 1000;
const url = 'https://invoice.stripe.com/i/1';
const money = { amount: 950, currency: 'usd' };
const paid = { plan: 'plus' as const, at, invoice: 'in_1', ...money, url, isFirst: false, years: 2 };
const nextCharge = { at: Date.UTC(2026, 2, 15, 1) / 1000, ...money, interval: 'month' };
const failed = { invoice: 'in_2', ...money, url };
const ends = '2026-03-15T12:00:00.000Z';
const plus: BillingState = { plan: 'plus', paid, nextCharge };

const mailOf = (kind: PlanNotice['kind'], after: Partial<BillingState> = {}, before = plus) =>
  planNoticeEmail(
    { kind, before, after: { ...plus, ...after } },
    { siteUrl, now: new Date('2026-01-20T12:00:00Z') },
  );

describe('the mail about a plan', () => {
  test.each<[PlanNotice['kind'], Partial<BillingState>, string, string]>([
    ['begun', {}, 'subscription-begun', 'You paid $9.50 (USD) on February 15, 2026'],
    ['renewed', {}, 'subscription-renewed', '$9.50 was paid on February 15, 2026'],
    ['arrived', {}, 'payment-arrived', 'and Plus continues'],
    ['year', {}, 'subscription-year', '2 years'],
    ['failed', { failed: { ...failed, nextTryAt: at } }, 'payment-failed', 'try again on February 15, 2026'],
    ['cancelled', { ends }, 'subscription-cancelled', 'lasts until March 15, 2026'],
    ['cancelled', { ends, complimentary: true }, 'subscription-cancelled', 'for longer, write to'],
    ['kept', {}, 'subscription-kept', "Plus won't end after all"],
    ['ending', { ends }, 'subscription-ending', 'press “Renew Plan” under Pricing before March 15, 2026'],
    ['ending', { ends, complimentary: true }, 'subscription-ending', 'choose Plus again under Pricing'],
    ['ended', { plan: 'free', ended: 'unpaid' }, 'subscription-ended', 'did not arrive'],
    ['ended', { plan: 'free' }, 'subscription-ended', 'Our support or a bank ended it'],
    ['ended', { plan: 'free', ended: 'declined' }, 'subscription-cancelled', 'has ended'],
    ['ended', { plan: 'free', ended: 'withdrawn' }, 'contract-withdrawn', 'on January 20, 2026 at 12:00 UTC'],
    ['refunded', { refunded: { boughtAt: at, ...money } }, 'payment-refunded', 'refunded $9.50'],
    ['complimentary', { complimentary: true, ends }, 'complimentary-plan', 'ends on March 15, 2026'],
  ])('%s, %o, is %s and has the parts of the state', (kind, after, name, sentence) => {
    const mail = mailOf(kind, after);
    expect(mail.name).toBe(name);
    expect(mail.text).toContain(sentence);
  });

  test('says amounts in the decimals of their currency', () => {
    const { text } = mailOf('renewed', { paid: { ...paid, amount: 500, currency: 'jpy' } });
    expect(text).toContain('¥500 was paid');
  });

  test('says that Plus is back where it had ended', () => {
    expect(mailOf('arrived', {}, { plan: 'free' }).text).toContain('Plus is back');
  });

  test('can not be about a part that is unknown', () => {
    expect(() => mailOf('failed')).toThrow('The notice lacks the part');
  });
});
