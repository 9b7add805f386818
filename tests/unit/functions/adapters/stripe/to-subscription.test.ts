import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { toSubscription } from '../../../../../functions/adapters/stripe/to-subscription.ts';
import {
  firstPaymentOf,
  decidedAgainAt,
  isEntitling,
  isPaymentDue,
} from '../../../../../functions/domain/subscription.ts';
import { markOf } from '../../../../../functions/domain/mark.ts';
import { STAGE } from '../../../../fixtures/fakes/stage.ts';

const DAY = 86_400;
const RENEWED = Date.UTC(2026, 0, 20) / 1000;

/** A subscription as Stripe sends it, as far as it is read. */
function read(
  invoice: Partial<Stripe.Invoice>,
  {
    at = RENEWED + DAY,
    older,
    ...fields
  }: Partial<Stripe.Subscription> & { at?: number; older?: Partial<Stripe.Invoice> } = {},
) {
  const invoiceWith = (more: Partial<Stripe.Invoice>) => ({
    id: 'in_1',
    status_transitions: { paid_at: RENEWED },
    lines: { data: [{ period: { start: RENEWED } }] },
    billing_reason: 'subscription_cycle',
    collection_method: 'charge_automatically',
    created: RENEWED,
    status: 'open',
    attempted: true,
    auto_advance: true,
    next_payment_attempt: null,
    ...more,
  });
  const subscription = {
    id: 'sub_1',
    customer: 'cus_1',
    status: 'active',
    created: RENEWED - 31 * DAY,
    cancel_at: null,
    cancel_at_period_end: false,
    cancellation_details: null,
    ended_at: null,
    currency: 'usd',
    metadata: markOf(STAGE, 'ada'),
    pause_collection: null,
    discounts: [],
    items: {
      data: [
        { price: { unit_amount: 500, metadata: {} }, quantity: 1, current_period_end: RENEWED + 31 * DAY },
      ],
    },
    latest_invoice: invoiceWith(invoice),
    ...fields,
  } as unknown as Stripe.Subscription;
  const open = older && (invoiceWith({ id: 'in_0', ...older }) as Stripe.Invoice);
  return toSubscription(subscription, STAGE, open, new Date(at * 1000));
}

describe('the amount of a renewal', () => {
  const item = (unit_amount: number | null, quantity?: number) => ({
    price: { unit_amount, metadata: {} },
    quantity,
    current_period_end: RENEWED + 31 * DAY,
  });
  const amountOf = (...data: object[]) => read({}, { items: { data } as never }).amount;

  test('is the sum of its items by their quantities, and unknown where a price has no fixed amount', () => {
    expect(amountOf(item(500))).toBe(500);
    expect(amountOf(item(500, 3), item(250, 2))).toBe(2_000);
    expect(amountOf(item(null))).toBeUndefined();
    expect(amountOf(item(500), item(null))).toBeUndefined();
  });
});

describe('an invoice beside an active subscription', () => {
  test.each<[string, Partial<Stripe.Invoice>, boolean]>([
    ['a draft of a renewal', { status: 'draft', attempted: false }, true],
    ['an open renewal that was not tried', { attempted: false }, true],
    ['an open renewal that the bank is processing', {}, true],
    ['a paid renewal', { status: 'paid', auto_advance: false }, false],
    ['a draft of a renewal that costs nothing', { status: 'draft', amount_due: 0 }, false],
    ['a renewal whose invoice is sent by mail', { collection_method: 'send_invoice' }, false],
    ['a renewal that is not collected', { status: 'draft', auto_advance: false }, false],
    ['a change of the quantity that is not paid', { billing_reason: 'subscription_update' }, false],
    ['a renewal that support has voided', { status: 'void' }, false],
    ['a renewal that support has written off', { status: 'uncollectible' }, false],
  ])('%s gives Plus; whether a payment is due', (_, invoice, due) => {
    const found = read(invoice);
    expect(isEntitling(found)).toBe(true);
    expect(isPaymentDue(found)).toBe(due);
  });

  test.each<[string, Partial<Stripe.Invoice>, string]>([
    ['paid', { status: 'paid' }, 'paid'],
    ['open', { status: 'open' }, 'processing'],
    ['a draft', { status: 'draft' }, 'processing'],
    ['void', { status: 'void' }, 'failed'],
    ['uncollectible', { status: 'uncollectible' }, 'failed'],
    ['sent by mail, and open', { status: 'open', collection_method: 'send_invoice' }, 'paid'],
  ])('a first invoice that is %s says how far the first payment is', (_, invoice, expected) => {
    for (const status of ['active', 'canceled'] as const) {
      const { state } = read({ billing_reason: 'subscription_create', ...invoice }, { status });
      expect(firstPaymentOf(state)).toBe(expected);
    }
  });
});

test.each([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past-due'],
  ['unpaid', 'unpaid'],
  ['paused', 'paused'],
  ['incomplete', 'incomplete'],
  ['incomplete_expired', 'expired'],
  ['canceled', 'canceled'],
  ['a_word_of_tomorrow', 'unknown'],
] as const)('Stripe’s status %s is read as %s', (status, kind) => {
  const paid = { status: status === 'past_due' ? 'open' : 'paid' } as const;
  const fields = { status: status as Stripe.Subscription.Status };
  expect(read(paid, fields).state).toMatchObject({ kind });
});

test('paused payments are read unless one from before the pause is due', () => {
  const pause_collection = { behavior: 'void', resumes_at: null } as const;
  expect(read({ status: 'paid' }, { pause_collection }).state.kind).toBe('uncollected');
  expect(read({}, { pause_collection }).state.kind).toBe('renewing');
});

const PAUSED = { pause_collection: { behavior: 'keep_as_draft', resumes_at: null } } as const;
const PAST_DUE = { status: 'past_due' } as const;
const TRIES = { next_payment_attempt: RENEWED + 3 * DAY } as const;
const DRAFT = { status: 'draft', attempted: false } as const;
const STOPPED = { ...DRAFT, auto_advance: false } as const;
const MAILED = { collection_method: 'send_invoice', attempted: false } as const;

const BY_MAIL = { collection_method: 'send_invoice' } as const;
const PAST_DUE_PAUSED = { ...PAST_DUE, ...PAUSED } as const;

// By what was tried: a draft has never failed, and an invoice that was mailed is never tried.
test.each<[string, Parameters<typeof read>[0], Parameters<typeof read>[1], string, string | undefined]>([
  ['mailed', { status: 'paid' }, BY_MAIL, 'invoiced', undefined],
  ['drafted, then mailed', DRAFT, BY_MAIL, 'renewing', 'in_1'],
  ['tried for the last time, then mailed', {}, { ...PAST_DUE, ...BY_MAIL }, 'invoiced', 'in_1'],
  ['mailed, overdue', MAILED, { ...PAST_DUE, ...BY_MAIL }, 'invoiced', 'in_1'],
  ['mailed, automatic and paused', STOPPED, { ...PAST_DUE_PAUSED, older: MAILED }, 'uncollected', 'in_1'],
  ['mailed, overdue, then automatic and paused', MAILED, PAST_DUE_PAUSED, 'uncollected', 'in_1'],
  ['mailed, overdue, then automatic', MAILED, PAST_DUE, 'active', 'in_1'],
  ['mailed, overdue, automatic and renewed', DRAFT, { ...PAST_DUE, older: MAILED }, 'renewing', 'in_1'],
  ['mailed, overdue, renewed while paused', STOPPED, { ...PAST_DUE, older: MAILED }, 'active', 'in_1'],
  ['tried, and to be tried again', TRIES, PAST_DUE, 'past-due', 'in_1'],
  ['tried, to be tried again, and paused', TRIES, PAST_DUE_PAUSED, 'past-due', 'in_1'],
  ['tried for the last time, and paused', {}, PAST_DUE_PAUSED, 'uncollected', 'in_1'],
  ['tried, and renewed while paused', STOPPED, { ...PAST_DUE_PAUSED, older: TRIES }, 'past-due', 'in_0'],
  ['tried for the last time, and renewed', DRAFT, { ...PAST_DUE, older: {} }, 'renewing', 'in_1'],
  ['unpaid, and renewed', STOPPED, { status: 'unpaid', older: {} }, 'unpaid', 'in_0'],
])('a renewal that was %s', (_, latest, fields, kind, due) => {
  const found = read(latest, fields);
  expect(found.state).toEqual({
    kind,
    ...(kind === 'past-due' && { nextTryAt: TRIES.next_payment_attempt }),
  });
  expect(found.dueInvoice?.id).toBe(due);
});

describe('the end of the tries of a past due subscription', () => {
  const NEXT = RENEWED + 20 * DAY;
  const END = RENEWED + 15 * DAY;
  const tries = { next_payment_attempt: NEXT };
  test.each<[string, Partial<Stripe.Invoice>, number, number | undefined, number | undefined]>([
    ['with a next try', tries, RENEWED + 16 * DAY, undefined, NEXT + DAY],
    ['with a try that is nearly a day late', tries, NEXT + DAY - 1, undefined, NEXT + DAY],
    ['with a try that is a day late', tries, NEXT + DAY, END, undefined],
    ['without a next try', {}, RENEWED + DAY, END, END],
    ['whose collection is off', { ...tries, auto_advance: false }, RENEWED + DAY, END, END],
  ])('%s', (_, invoice, at, triesEndAt, again) => {
    const found = read(invoice, { status: 'past_due', at });
    expect('triesEndAt' in found.state ? found.state.triesEndAt : undefined).toBe(triesEndAt);
    expect(decidedAgainAt(found)).toBe(again);
    expect(isEntitling(found)).toBe(triesEndAt === undefined || at < triesEndAt);
  });

  test('is fifteen days after the renewal', () => {
    const at = RENEWED + 15 * DAY;
    expect(isEntitling(read({}, { status: 'past_due', at: at - 1 }))).toBe(true);
    expect(isEntitling(read({}, { status: 'past_due', at }))).toBe(false);
  });
});

const IN_A_MONTH = RENEWED + 31 * DAY;
test.each([
  ['of its item', { current_period_start: RENEWED, current_period_end: IN_A_MONTH }, IN_A_MONTH],
  // Stripe counts a trial from its begin, and support may move it.
  ['never before it was made', { current_period_end: RENEWED - 60 * DAY }, RENEWED - 31 * DAY],
])('the period ends with that %s', (_, period, end) => {
  const item = { price: { unit_amount: 500, metadata: {} }, quantity: 1, ...period };
  const items = { data: [item] } as unknown as Stripe.Subscription['items'];
  const found = read({}, { items, cancel_at_period_end: true });
  expect(found).toMatchObject({ currentPeriodEnd: end, endsAt: end });
});
