import { expect, test, vi } from 'vitest';
import type { Money, Subscription } from '../../../../functions/domain/subscription.ts';
import { askedFacts } from '../../../../functions/plans/asked-facts.ts';
import { subscriptionWith } from '../../../fixtures/fakes/memory-billing.ts';

const money = { amount: 250, currency: 'usd' };
const billing = () => ({
  nextChargeOf: vi.fn<(of: Subscription) => Promise<Money | undefined>>(async () => money),
  failureCauseOf: vi.fn(async () => 'declined' as const),
});
const invoice = subscriptionWith().latestInvoice!;
const own = subscriptionWith();
const supports = subscriptionWith({ id: 'sub_2', userId: undefined });

test('Stripe is asked for the charges of the active subscription and of support’s, and not of a duplicate', async () => {
  const stripe = billing();
  const duplicate = subscriptionWith({ id: 'sub_3' });
  const next = new Map([own, supports].map(({ id }) => [id, money]));
  expect(await askedFacts(stripe, own, [own, supports, duplicate])).toEqual({ next, cause: undefined });
  expect(stripe.nextChargeOf.mock.calls).toEqual([[own], [supports]]);
});

test.each<[string, Partial<Subscription>]>([
  ['that is going to end', { endsAt: own.currentPeriodEnd }],
  ['whose last renewal is a draft', { latestInvoice: { ...invoice, collectedAt: 1 } }],
])('Stripe is not asked for the charge of a subscription %s', async (_, fields) => {
  const stripe = billing();
  const active = { ...own, ...fields };
  expect((await askedFacts(stripe, active, [active])).next).toEqual(new Map());
  expect(stripe.nextChargeOf).not.toHaveBeenCalled();
});

test('a charge that Stripe doesn’t name is unknown', async () => {
  const stripe = billing();
  stripe.nextChargeOf.mockResolvedValue(undefined);
  expect((await askedFacts(stripe, own, [own])).next).toEqual(new Map());
});

test('Stripe is asked why the payment of a past due subscription failed, by its due invoice', async () => {
  const stripe = billing();
  const pastDue = { ...own, state: { kind: 'past-due' }, dueInvoice: { ...invoice, id: 'in_2' } } as const;
  expect((await askedFacts(stripe, pastDue, [pastDue])).cause).toBe('declined');
  expect(stripe.failureCauseOf.mock.calls).toEqual([['in_2']]);
  for (const other of [
    { ...pastDue, dueInvoice: undefined },
    { ...pastDue, state: { kind: 'active' } },
  ] as const)
    expect((await askedFacts(stripe, other, [other])).cause).toBeUndefined();
});
