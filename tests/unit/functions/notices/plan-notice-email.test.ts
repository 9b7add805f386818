import { describe, expect, test } from 'vitest';
import type { PlanFacts } from '../../../../functions/domain/plan-facts.ts';
import type { PlanNotice } from '../../../../functions/domain/plan-notices.ts';
import { planNoticeEmail } from '../../../../functions/notices/plan-notice-email.ts';
import type { Standing } from '../../../../schemas/shapes/standing.ts';

const siteUrl = 'https://selfsame.example';
const at = Date.UTC(2026, 1, 15, 23) / 1000;
const url = 'https://invoice.stripe.com/i/1';
const money = { amount: 950, currency: 'usd' };
const paid = { plan: 'plus' as const, at, ...money, url, isFirst: false, years: 2 };
const on = '2026-03-15T12:00:00.000Z';
const sold = { plan: 'plus', interval: 'month', price: money } as const;
const charge = { subscription: 'sub_1', ...sold, on, money };
const renews: Standing = { kind: 'renews', ...sold, on, until: null, charges: [charge] };
const ends: Standing = { kind: 'ends', ...sold, on, renewal: 'free', charges: [] };
const complimentary: Standing = { kind: 'ends', plan: 'plus', on, renewal: 'purchase', charges: [] };
const free: Standing = { kind: 'free', plan: 'plus', endedAt: on };
const tried: Standing = { kind: 'purchase-failed', plan: 'plus', on };
const paused: Standing = { kind: 'paused', ...sold, on: null, charges: [] };
const due = { money, endsAt: null, paysUntil: on, payAt: url, nextTry: null, lostOn: null, cause: null };
type Failed = Extract<Standing, { kind: 'failed' }>;
const failed = (fields: Partial<Failed>): Failed => {
  return { kind: 'failed', ...sold, ...due, charges: [charge], ...fields };
};

const mailOf = (kind: PlanNotice['kind'], facts: Partial<PlanFacts> = {}, before: Standing = renews) =>
  planNoticeEmail(
    { kind, before: { standing: before } },
    { standing: renews, paid, ...facts },
    { siteUrl, now: new Date('2026-01-20T12:00:00Z') },
  );

describe('the mail about a plan', () => {
  /** By the mail: a notice, its facts beside the usual ones, the standing before, and a sentence. */
  const mails: Record<string, [PlanNotice['kind'], Partial<PlanFacts>, Standing, string][]> = {
    'subscription-begun': [
      ['begun', {}, free, 'You paid $9.50 (USD) on February 15, 2026'],
      ['begun', {}, free, 'Next charge: $9.50 on March 15, 2026'],
    ],
    'subscription-renewed': [
      ['renewed', {}, renews, '$9.50 was paid on February 15, 2026'],
      ['renewed', { standing: ends }, ends, 'You’re on Plus until March 15, 2026. You won’t be'],
    ],
    'payment-arrived': [
      ['arrived', {}, failed({}), 'and Plus continues'],
      ['arrived', {}, free, 'Plus is back'],
    ],
    'subscription-year': [['year', {}, renews, '2 years']],
    'payment-failed': [
      ['failed', { standing: failed({ nextTry: on }) }, renews, 'tries again, next on March 15, 2026'],
      ['failed', { standing: failed({ lostOn: on }) }, renews, 'ends on March 15, 2026'],
    ],
    'subscription-cancelled': [
      ['cancelled', { standing: ends }, renews, 'You keep it until March 15, 2026'],
      ['cancelled', { standing: ends }, renews, 'you won’t be charged again'],
      ['cancelled', { standing: complimentary }, complimentary, 'for longer, write to'],
      ['ended', { standing: free, ended: 'declined' }, renews, 'has ended'],
    ],
    'subscription-kept': [
      ['kept', {}, ends, 'Plus won’t end after all'],
      ['kept', { standing: ends }, failed({}), 'Plus won’t end after all'],
      ['kept', {}, failed({}), 'You don’t have to pay what was due'],
    ],
    'subscription-terms': [['terms', {}, renews, 'Next charge: $9.50 on March 15, 2026']],
    'subscription-ending': [
      ['ending', { standing: ends }, ends, 'press “Renew Plan” under Pricing before March 15'],
      ['ending', { standing: complimentary }, complimentary, 'choose Plus again under Pricing'],
    ],
    'subscription-ended': [
      ['ended', { standing: free, ended: 'unpaid' }, renews, 'did not arrive'],
      ['ended', { standing: free }, renews, 'Our support or a bank ended it'],
      ['ended', { standing: free }, ends, 'ended on its scheduled day'],
      ['ended', { standing: free, ended: 'unpaid' }, complimentary, 'ended on its scheduled day'],
      ['ended', { standing: paused }, renews, 'Our support has paused it'],
      ['ended', { standing: free }, paused, 'It was paused, and was then canceled'],
    ],
    'contract-withdrawn': [
      ['ended', { standing: free, ended: 'withdrawn' }, renews, 'on January 20, 2026 at 12:00 UTC'],
    ],
    'payment-refunded': [
      ['refunded', { refunded: { at, because: 'duplicate', ...money } }, renews, 'refunded $9.50'],
    ],
    'complimentary-plan': [['complimentary', { standing: complimentary }, free, 'ends on March 15, 2026']],
    'purchase-failed': [['purchase-failed', { standing: tried }, free, 'that you made on March 15, 2026']],
  };

  test.each(Object.entries(mails))('is %s, with the parts of the facts', (name, notices) => {
    for (const [kind, facts, before, sentence] of notices) {
      const mail = mailOf(kind, facts, before);
      expect(mail.name).toBe(name);
      expect(mail.text.replaceAll("'", '’')).toContain(sentence);
    }
  });

  test('says how to cancel only where there is something to cancel', () => {
    expect(mailOf('renewed').text).toContain('To cancel, open');
    expect(mailOf('renewed', { standing: ends }).text).not.toContain('To cancel');
  });

  test('never says that nothing more is charged while something is', () => {
    const { text } = mailOf('cancelled', { standing: { ...ends, charges: [charge] } as Standing });
    expect(text).toContain('Next charge: $9.50 on March 15, 2026.');
    expect(text).not.toContain("won't be charged");
  });

  test('says amounts in the decimals of their currency', () => {
    const { text } = mailOf('renewed', { paid: { ...paid, amount: 500, currency: 'jpy' } });
    expect(text).toContain('¥500 was paid');
  });

  test('can not be about a fact that is unknown', () => {
    expect(() => mailOf('failed')).toThrow('The notice lacks the fact');
  });
});
