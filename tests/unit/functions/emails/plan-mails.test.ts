import { describe, expect, test } from 'vitest';
import type { PlanNotice } from '../../../../functions/domain/plan-notices.ts';
import { mayBeTheft, planNoticeEmail } from '../../../../functions/notices/plan-notice-email.ts';
import type { BillingState } from '../../../../schemas/rows/billing-state.ts';

const siteUrl = 'https://selfsame.example';
const at = Date.UTC(2026, 1, 15, 23) / 1000;
const url = 'https://invoice.stripe.com/i/1';
const money = { amount: 950, currency: 'usd' };
const paid = { plan: 'plus' as const, at, invoice: 'in_1', ...money, url, isFirst: false, years: 2 };
const nextCharge = { at: Date.UTC(2026, 2, 15, 1) / 1000, ...money, interval: 'month' };
const failed = { invoice: 'in_2', ...money, url };
const newPrice = {
  id: 'price_2',
  amount: 1200,
  currency: 'usd',
  interval: 'month' as const,
  announcedAt: at,
  // The notice ends on March 12.
  anchor: Date.UTC(2025, 11, 31) / 1000,
};
const ends = '2026-03-15T12:00:00.000Z';
const plus: BillingState = { plan: 'plus', paid, nextCharge };

const mailOf = (kind: PlanNotice['kind'], after: Partial<BillingState> = {}, before = plus) =>
  planNoticeEmail(
    { kind, before, after: { ...plus, ...after } },
    { siteUrl, earlier: undefined, user: 'ada', now: new Date('2026-01-20T12:00:00Z') },
  );

const terms =
  'Plus costs $9.50 per month, and renews by itself until you cancel. The next charge is on March 15, 2026.';
const cancel = `To cancel, open ${siteUrl}/cancel`;

describe('a mail about a plan', () => {
  test.each<[PlanNotice['kind'], Partial<BillingState>, string[]]>([
    ['begun', {}, ['There is nothing left to do', 'You paid $9.50 on February 15, 2026', terms, cancel, url]],
    ['renewed', {}, ['There is nothing to do: $9.50 was paid on February 15, 2026', terms, cancel, url]],
    ['renewed', { nextCharge: undefined, ends }, ['Plus lasts until March 15, 2026 and does not renew.']],
    [
      'arrived',
      { ends: '2026-04-15T12:00:00.000Z' },
      [
        'Plus costs $9.50 per month. The next charge is on March 15, 2026. Plus lasts until April 15, 2026 and does not renew after that.',
      ],
    ],
    ['year', {}, ['If you still use Plus, there is nothing to do', '2 years', terms, cancel]],
    [
      'failed',
      { failed: { ...failed, nextTryAt: at } },
      [
        'To keep Plus, pay $9.50',
        'We will try again on February 15, 2026',
        `Pay $9.50: ${url}`,
        'Update Card',
      ],
    ],
    [
      'failed',
      { failed: { ...failed, triesEndAt: at } },
      ['no further attempt. Plus ends on February 15, 2026'],
    ],
    ['arrived', {}, ['$9.50 was paid on February 15, 2026, and Plus continues', terms, cancel]],
    ['cancelled', { ends }, ['nothing to do: it lasts until March 15, 2026', 'press “Renew Plan”']],
    [
      'cancelled',
      { ends, complimentary: true },
      ['lasts until March 15, 2026', 'for longer, write to support@'],
    ],
    ['kept', {}, ['There is nothing to do: Plus will not end after all', terms, cancel]],
    [
      'ending',
      { ends },
      ['press “Renew Plan” under Pricing before March 15, 2026', 'there is nothing to do'],
    ],
    ['ending', { ends, complimentary: true }, ['choose Plus under Pricing once it has ended']],
    ['ended', { plan: 'free', ended: 'unpaid' }, ['If you want Plus again', 'did not arrive']],
    ['ended', { plan: 'free', ended: 'scheduled' }, ['It ended on its scheduled day.']],
    ['ended', { plan: 'free', ended: 'declined' }, ['it has ended', 'will not be collected']],
    [
      'refunded',
      { refunded: { boughtAt: at, ...money } },
      ['on February 15, 2026 at 23:00 UTC', 'refunded $9.50'],
    ],
    ['refunded', { refunded: { boughtAt: at, currency: 'usd' } }, ['refunded what you paid for it']],
    [
      'price',
      { newPrice: { ...newPrice, toldAt: Date.UTC(2026, 1, 10) / 1000 } },
      [
        "If you want to keep Plus at the new price, there is nothing to do. If you don't, cancel before March 31, 2026.",
        'You pay $9.50 per month today',
        'Your renewal on March 31, 2026 is the first that costs $12.00 per month.',
        cancel,
      ],
    ],
    ['complimentary', { complimentary: true, ends }, ['There is nothing to do', 'ends on March 15, 2026']],
  ])('%s, %o, says what to do, the amounts and the days', (kind, after, sentences) => {
    const { html, text } = mailOf(kind, after);
    for (const sentence of sentences) expect(text).toContain(sentence);
    expect(text).not.toMatch(/undefined|NaN|<[a-z!/]/i);
    expect(html).not.toMatch(/undefined|<(img|script|link|iframe)|src=/i);
  });

  test('says amounts in the decimals of their currency', () => {
    const { text } = mailOf('renewed', { paid: { ...paid, amount: 500, currency: 'jpy' } });
    expect(text).toContain('¥500 was paid');
  });

  test('says that Plus is back where it had ended', () => {
    expect(mailOf('arrived', {}, { plan: 'free' }).text).toContain('Plus is back');
  });

  test('goes to earlier addresses only if a thief may have caused it', () => {
    const isTheft = (kind: PlanNotice['kind'], ended?: BillingState['ended']) =>
      mayBeTheft({ kind, after: { ...plus, ended } });
    const reasons = ['declined', 'withdrawn', 'unpaid', 'scheduled', 'other'] as const;
    expect(reasons.filter((ended) => isTheft('ended', ended))).toEqual(['declined', 'withdrawn']);
    expect([isTheft('cancelled'), isTheft('renewed', 'declined'), isTheft('kept')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('can not be about a part that is unknown', () => {
    expect(() => mailOf('failed')).toThrow('The news lacks the part');
  });
});
