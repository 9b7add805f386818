import { lowestPaidPlan, plans } from '../../schemas/product/offers.ts';
import { type ProviderKey, providerKeys } from '../../schemas/product/providers.ts';
import type { Standing } from '../../schemas/shapes/standing.ts';

const plan = lowestPaidPlan;
const [provider] = providerKeys as [ProviderKey];
const moment = new Date('2026-01-20T23:05:00Z');
// Unix seconds.
const seconds = moment.getTime() / 1000;
const later = new Date('2026-03-15T08:00:00Z');
const money = { amount: 950, currency: 'usd' };
const url = 'https://invoice.stripe.com/i/1';
const paid = { plan, at: seconds, ...money, url, isFirst: false, years: 2 };
const ends = later.toISOString();
const laterEnd = '2026-04-15T12:00:00.000Z';
const pricedPlan = { plan, interval: 'month', price: money } as const;
const charge = { subscription: 'sub_1', ...pricedPlan, on: ends, money };
const renews: Standing = { kind: 'renews', ...pricedPlan, on: ends, until: null, charges: [charge] };
const ending: Extract<Standing, { kind: 'ends' }> = {
  kind: 'ends',
  plan,
  on: ends,
  renewal: 'free',
  charges: [],
};
const failed: Extract<Standing, { kind: 'failed' }> = {
  kind: 'failed',
  ...pricedPlan,
  money,
  endsAt: null,
  paysUntil: ends,
  payAt: url,
  nextTry: null,
  lostOn: null,
  cause: null,
  charges: [charge],
};

/** The people, days and amounts in the examples of mails. */
export const exampleFacts = {
  plan,
  name: plans[plan].name,
  provider,
  user: 'ada',
  token: 'a-token',
  code: '123456',
  moment,
  seconds,
  later,
  money,
  paid,
  charge,
  standing: renews,
  withEnd: { ...renews, until: laterEnd },
  ending,
  failed,
  ends,
  laterEnd,
};

/** `resetUrl`: a link of `resetLink`. */
export type ExampleFacts = typeof exampleFacts & { siteUrl: string; resetUrl: string };
