import { lowestPaidPlan } from '../../schemas/product/offers.ts';
import { type ProviderKey, providerKeys } from '../../schemas/product/providers.ts';
import type { BillingState } from '../../schemas/rows/billing-state.ts';

const plan = lowestPaidPlan;
const [provider] = providerKeys as [ProviderKey];
const moment = new Date('2026-01-20T23:05:00Z');
// Unix seconds.
const seconds = moment.getTime() / 1000;
const later = new Date('2026-03-15T08:00:00Z');
const money = { amount: 950, currency: 'usd' };
const url = 'https://invoice.stripe.com/i/1';
const paid = { plan, at: seconds, invoice: 'in_1', ...money, url, isFirst: false, years: 2 };
const at = later.getTime() / 1000;
const nextCharge = {
  at,
  listed: money.amount,
  currency: money.currency,
  interval: 'month',
  preview: { at, amount: money.amount },
};

/** The people, days and amounts in the examples of mails. */
export const exampleFacts = {
  plan,
  provider,
  user: 'ada',
  token: 'a-token',
  code: '123456',
  moment,
  seconds,
  later,
  money,
  paid,
  nextCharge,
  failed: { invoice: 'in_2', ...money, url },
  state: { plan, paid, nextCharge } as BillingState,
  ends: later.toISOString(),
  laterEnd: '2026-04-15T12:00:00.000Z',
};

/** `resetUrl`: a link of `resetLink`. */
export type ExampleFacts = typeof exampleFacts & { siteUrl: string; resetUrl: string };
