import { expect, test } from 'vitest';
import { decidePlan } from '../../../../functions/domain/decide-plan.ts';
import { type AskedFacts, planFacts } from '../../../../functions/domain/plan-facts.ts';
import { type PlanNoticeKind, planNotices } from '../../../../functions/domain/plan-notices.ts';
import { chargesIn, standingOf } from '../../../../functions/domain/standing.ts';
import type { Subscription } from '../../../../functions/domain/subscription.ts';
import { plainText } from '../../../../functions/emails/plan-terms.ts';
import { planNoticeEmail } from '../../../../functions/notices/plan-notice-email.ts';
import { explainPlan } from '../../../../infra/operate/support/explain-plan.ts';
import { formatAmount } from '../../../../schemas/product/format-amount.ts';
import { plans } from '../../../../schemas/product/offers.ts';
import type { Notified } from '../../../../schemas/rows/notified.ts';
import type { UserPlan } from '../../../../schemas/rows/plan.ts';
import type { Standing } from '../../../../schemas/shapes/standing.ts';
import { EndContractResponse } from '../../../../schemas/shapes/end-contract.ts';
import { consequencesOf } from '../../../../web/src/plan/cancel-sentences.ts';
import { planLineOf } from '../../../../web/src/plan/plan-line.ts';
import { PRICE } from '../../../fixtures/fakes/main-offer.ts';
import { CANCELED, subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';

/* Scenarios in which page, mails, `/end-contract` and support have said other things. */

const seconds = (moment: string): number => Date.parse(moment) / 1000;
const row: UserPlan = { id: 'user', plan: 'plus', stripe_subscription_id: 'sub_1', version: 1 };
const siteUrl = 'https://selfsame.example';
const sum = formatAmount(PRICE, 'usd');
const MARCH = seconds('2026-03-15T00:00:00Z');
const bought = subscriptionWith();
const invoice = { ...bought.latestInvoice!, id: 'in_2', isFirst: false };
const url = 'https://invoice.stripe.com/i/2';
const next = (amount: number, id = 'sub_1'): AskedFacts => ({
  next: new Map([[id, { amount, currency: 'usd' }]]),
});
const FEBRUARY = seconds('2026-02-15T00:00:00Z');
const paid = { ...invoice, paidAt: seconds('2026-02-15T01:00:00Z'), periodStart: FEBRUARY };
const renewed: Partial<Subscription> = { currentPeriodEnd: MARCH, latestInvoice: paid };
const draft = { ...invoice, paidAt: undefined, collectedAt: seconds('2026-02-15T01:00:00Z') };
const unpaid = { ...invoice, paidAt: undefined, url };
/** In the hour before the renewal is charged. */
const renewing = { state: { kind: 'renewing' }, currentPeriodEnd: MARCH, latestInvoice: draft } as const;
const ofSupport = { userId: undefined, currentPeriodEnd: seconds('2026-03-01T00:00:00Z') };
const supports = subscriptionWith({ id: 'sub_2', ...ofSupport });
const ending: Partial<Subscription> = { endsAt: bought.currentPeriodEnd, cancelsAtPeriodEnd: true };
const declined: Partial<Subscription> = { ended: 'declined', endedAt: seconds('2026-02-15T00:30:00Z') };
const invoiced = { kind: 'invoiced' } as const;
const tried = seconds('2026-02-20T00:00:00Z');

interface Scenario {
  /** The user's own subscription when the last mail was sent. @default it renews */
  mailed?: Partial<Subscription>;
  mailedFacts?: AskedFacts;
  at: string;
  now: Partial<Subscription>;
  others?: Subscription[];
  asked?: AskedFacts;
  says: string;
  mails?: [PlanNoticeKind, ...string[]][];
}

const on = "You're on Plus.";
const drafted = '2026-02-15T00:30:00Z';
const scenarios: Record<string, Scenario> = {
  '57: payments paused while a mailed invoice is overdue': {
    at: '2026-02-20T00:00:00Z',
    now: { state: { kind: 'uncollected' }, dueInvoice: unpaid },
    says: `${on} Your payments are paused: nothing is charged for now.`,
  },
  '58: the same, past due before the pause': {
    mailed: { state: invoiced, dueInvoice: unpaid },
    at: '2026-02-20T00:00:00Z',
    now: { state: { kind: 'uncollected' }, dueInvoice: unpaid },
    says: `${on} Your payments are paused: nothing is charged for now.`,
  },
  '30: canceled beside a subscription of support': {
    at: '2026-01-20T00:00:00Z',
    now: ending,
    others: [supports],
    asked: next(PRICE, 'sub_2'),
    says: `${on} Next charge: ${sum} on March 1, 2026.`,
    mails: [['terms', `Next charge: ${sum} on March 1, 2026.`]],
  },
  '15: credit in the hour of the draft that uses it': {
    at: drafted,
    now: { currentPeriodEnd: MARCH, latestInvoice: { ...draft, amount: 0 } },
    says: `${on} Next charge on March 15, 2026.`,
  },
  '15b: credit has paid the renewal': {
    mailedFacts: next(0),
    at: '2026-02-15T02:00:00Z',
    now: { ...renewed, latestInvoice: { ...paid, amount: 0 } },
    asked: next(PRICE),
    says: `${on} Next charge: ${sum} on March 15, 2026.`,
  },
  '12: a voucher for ever': {
    mailedFacts: next(0),
    at: '2026-02-15T02:00:00Z',
    now: { ...renewed, latestInvoice: { ...paid, amount: 0 } },
    asked: next(0),
    says: `${on} Nothing is charged on March 15, 2026.`,
  },
  '07, 08: payments paused and resumed': {
    mailed: { state: { kind: 'uncollected' } },
    at: '2026-02-20T00:00:00Z',
    now: { currentPeriodEnd: MARCH },
    asked: next(PRICE),
    says: `${on} Next charge: ${sum} on March 15, 2026.`,
  },
  '19: mailed invoices that nobody pays': {
    mailed: { state: invoiced },
    at: '2026-04-20T00:00:00Z',
    now: { state: invoiced, currentPeriodEnd: seconds('2026-05-15T00:00:00Z'), dueInvoice: unpaid },
    says: `${on} You pay by invoice.`,
  },
  '19b, 20: canceled with a mailed invoice open': {
    mailed: { state: invoiced, dueInvoice: unpaid },
    at: '2026-01-20T00:00:00Z',
    now: { state: invoiced, dueInvoice: unpaid, ...ending },
    says: `${on} You pay by invoice. Plus ends on February 15, 2026.`,
    mails: [['cancelled', 'You keep it until February 15, 2026']],
  },
  '20b: the receipt of a mailed invoice while another is open': {
    mailed: { state: invoiced },
    at: '2026-02-16T00:00:00Z',
    now: { ...renewed, state: invoiced, dueInvoice: unpaid },
    says: `${on} You pay by invoice.`,
    mails: [['renewed', `${sum} was paid on February 15, 2026`, 'You pay by invoice.']],
  },
  '56: switched back to automatic': {
    mailed: { state: invoiced },
    at: '2026-02-20T00:00:00Z',
    now: { currentPeriodEnd: MARCH, dueInvoice: unpaid },
    asked: next(PRICE),
    says: `${on} Next charge: ${sum} on March 15, 2026.`,
  },
  '26: the receipt of a canceled subscription': {
    mailed: { ...ending, endsAt: MARCH },
    at: '2026-02-15T02:00:00Z',
    now: { ...renewed, endsAt: MARCH, cancelsAtPeriodEnd: true },
    says: "You're on Plus until March 15, 2026. You won't be charged again.",
    mails: [['renewed', `${sum} was paid`]],
  },
  '26b: the hour of the last renewal': {
    mailed: { ...ending, endsAt: MARCH },
    at: drafted,
    now: { ...renewing, endsAt: MARCH, dueInvoice: { ...draft, collectedAt: seconds(drafted) } },
    says: `${on} The payment of ${sum} for the new month will be taken within the hour. Plus ends on March 15, 2026.`,
  },
  '39: canceled in the hour of the draft, and Stripe refuses the end': {
    at: drafted,
    now: { ...renewing, ...declined },
    says: `You're on Free. You have ${plans.free.features[0]}.`,
    mails: [['ended', 'It is not collected, or refunded if it was on its way']],
  },
  '39b: the payment arrives all the same': {
    mailed: { ...renewing, ...declined },
    at: '2026-02-17T00:00:00Z',
    now: { ...renewed, state: CANCELED, ...declined, refund: 'done', invoicesVoided: true },
    says: `You're on Free. You have ${plans.free.features[0]}.`,
    mails: [['refunded', `Your plan ended on February 15, 2026`, `We refunded ${sum}`]],
  },
  '21b: a forgiven invoice that is paid later than a newer one': {
    mailed: renewed,
    at: '2026-02-20T00:00:00Z',
    now: renewed,
    asked: { ...next(PRICE), lastPaid: { ...paid, id: 'in_1b', paidAt: tried } },
    says: `${on} Next charge: ${sum} on March 15, 2026.`,
    mails: [['renewed', `${sum} was paid on February 20, 2026`]],
  },
  '40, 42: a period that ends half an hour before midnight': {
    at: '2026-01-20T00:00:00Z',
    now: { currentPeriodEnd: seconds('2026-03-31T23:30:00Z') },
    asked: next(PRICE),
    says: `${on} Next charge: ${sum} on March 31, 2026.`,
    mails: [['terms', `Next charge: ${sum} on March 31, 2026.`]],
  },
  '04, 53: a renewal that the cardholder has to confirm': {
    at: '2026-02-15T02:00:00Z',
    now: {
      state: { kind: 'past-due', nextTryAt: tried },
      currentPeriodEnd: MARCH,
      latestInvoice: unpaid,
      dueInvoice: unpaid,
    },
    asked: { cause: 'confirm' },
    says: `Your last payment of ${sum} didn't go through. Your bank wants you to confirm it. You keep Plus until February 20, 2026, and lose it later if it isn't paid.`,
    mails: [['failed', 'Your bank wants you to confirm it. You keep Plus until February 20, 2026']],
  },
  '16b: an item that was added two days before': {
    mailedFacts: next(PRICE),
    at: '2026-02-13T00:00:00Z',
    now: {},
    asked: next(PRICE + 300),
    says: `${on} Next charge: ${formatAmount(PRICE + 300, 'usd')} on February 15, 2026.`,
    mails: [['terms', `Next charge: ${formatAmount(PRICE + 300, 'usd')} on February 15, 2026.`]],
  },
};

/** Whether a mail promises nothing false about charges, and no way to cancel what is canceled. */
const isTrue = (text: string, standing: Standing): boolean =>
  !(text.includes("won't be charged again") && chargesIn(standing).length > 0) &&
  !(text.includes('To cancel') && standing.kind === 'ends');

test.each(Object.entries(scenarios))(
  'scenario %s: page, mails, /end-contract and support say the same',
  (_, { mailed = {}, mailedFacts = {}, at, now: change, others = [], asked = {}, says, mails = [] }) => {
    const first = new Date('2026-01-16T00:00:00Z');
    const before = [subscriptionWith(mailed)];
    const known = planFacts(row, decidePlan(row, before, first), before, first, mailedFacts);
    const nothing: Notified = { standing: { kind: 'free', endedAt: null } };
    const notified = planNotices(nothing, known, first).at(-1)?.after ?? nothing;

    const now = new Date(at);
    const subscriptions = [subscriptionWith(change), ...others];
    const facts = planFacts(row, decidePlan(row, subscriptions, now), subscriptions, now, asked);
    const standing = standingOf(row, subscriptions, now, asked);
    const inWords = (shown: typeof standing): string => {
      const { lead, rest } = planLineOf(shown) ?? { lead: [], rest: [] };
      return `${plainText(lead)}. ${plainText(rest)}`.trim();
    };

    expect(facts.standing).toEqual(standing);
    expect(inWords(standing)).toBe(says);
    expect(inWords(EndContractResponse.parse({ standing, withdrawUntil: null }).standing)).toBe(says);
    expect(explainPlan(row, subscriptions, now, asked)).toContain(`Pages and mails say: “${says}”`);
    const notices = planNotices(notified, facts, now);
    expect(notices.map(({ kind }) => kind)).toEqual(mails.map(([kind]) => kind));
    for (const [index, notice] of notices.entries()) {
      const { text } = planNoticeEmail(notice, facts, { siteUrl, now });
      for (const part of mails[index]?.slice(1) ?? []) expect(text).toContain(part);
      for (const [charge = ''] of text.matchAll(/Next charge[^.]*(?:\.\d\d[^.]*)?\./g))
        expect(says).toContain(charge);
      expect(isTrue(text, standing)).toBe(true);
    }
  },
);

test('a period that ends before midnight has one day, also before a cancellation', () => {
  const subscription = subscriptionWith({ currentPeriodEnd: seconds('2026-03-31T23:30:00Z') });
  const standing = standingOf(row, [subscription], new Date('2026-01-20'));
  const { lead } = consequencesOf('subscription', standing);
  expect(plainText(lead)).toBe('You keep Plus until March 31, 2026.');
});
